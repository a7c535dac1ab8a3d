/** Environment variables with the platform's address and token. */
export const env: Record<string, string | undefined> = process.env;
