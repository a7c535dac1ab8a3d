import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  discovery,
  enableNonRepudiationChecks,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type AuthorizationCodeGrantChecks,
  type Configuration,
} from 'openid-client';

/**
 * The console as a client of the identity provider, with one of its secrets: gives the provider's description, which is asked for at the
 * first call, and again after a failure.
 */
export type Client = () => Promise<Configuration>;

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

const TIMEOUT_SECONDS = 4;

/** `secret` undefined: a public client. */
export function createClient(issuer: string, clientId: string, secret: string | undefined): Client {
  const authentication = secret === undefined ? None() : ClientSecretBasic(secret);
  // Without the check the connection to the token endpoint alone would vouch for an ID token, which a proxy on the way could replace.
  const execute = [
    enableNonRepudiationChecks,
    ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
  ];
  const options = { execute, timeout: TIMEOUT_SECONDS };
  let found: Promise<Configuration> | undefined;
  return async () => {
    const mine = (found ??= discovery(new URL(issuer), clientId, undefined, authentication, options));
    try {
      return await mine;
    } catch (error) {
      if (found === mine) found = undefined;
      throw error;
    }
  };
}

/**
 * Exchanges the code at the end of `address` for tokens: as the first client that the identity provider admits. A provider looks at the
 * code only after it has admitted the client, so that a refused client leaves the code for the next one.
 */
export async function redeemCode(
  [client, ...others]: readonly [Client, ...Client[]],
  address: URL,
  checks: AuthorizationCodeGrantChecks,
): Promise<{ provider: Configuration; tokens: Tokens }> {
  const provider = await client();
  try {
    return { provider, tokens: await authorizationCodeGrant(provider, address, checks) };
  } catch (error) {
    const [next, ...rest] = others;
    if (!next || !isClientRefused(error)) throw error;
    return redeemCode([next, ...rest], address, checks);
  }
}

/** Whether the token endpoint refused the client's secret. Releases of Keycloak answer `unauthorized_client`. */
export function isClientRefused(error: unknown): boolean {
  // An answer with a challenge is not read any further.
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401;
  return (
    error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)
  );
}
