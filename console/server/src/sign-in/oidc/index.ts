import type { Config } from '../../../../../gateway/src/config.ts';
import { createProvider, type Provider } from './provider.ts';
import { createSeal, type Seal } from './seal.ts';

/** Sign-in by an identity provider; `provider` undefined: there is none. */
export type ConsoleSignIn = { provider: Provider | undefined; seal: Seal };

/** The key of the seal is derived from the administration token, which all gateways share. */
export function createConsoleSignIn({ oidc, adminToken, acceptedAdminTokens }: Config): ConsoleSignIn {
  const { issuer } = oidc;
  return {
    provider: issuer === undefined ? undefined : createProvider(issuer, oidc),
    seal: createSeal([adminToken, ...acceptedAdminTokens]),
  };
}
