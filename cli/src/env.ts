/** What the commands read the platform's address and token from. */
export const env: Record<string, string | undefined> = process.env;
