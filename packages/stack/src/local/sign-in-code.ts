/** A code that opens the console of a running platform once. */
export async function createSignInCode(baseUrl: string, adminToken: string): Promise<string> {
  // Loaded only here, since most starts of the platform, those of tests, need no code.
  const { createAdminClient } = await import('./admin-client.ts');
  const { code } = await createAdminClient(baseUrl, adminToken).createSignInCode({});
  return code;
}
