import type { ConsoleConfig } from '../settings.ts';
import { createProvider, type Provider } from './provider.ts';
import { createSeal, type Seal } from './seal.ts';

/** Sign-in by an identity provider; `provider` undefined: there is none. */
export type ConsoleSignIn = { provider: Provider | undefined; seal: Seal };

/** The key of the seal is derived from the administration token, which all processes with a console share. */
export function createConsoleSignIn({
  oidc,
  adminToken,
  acceptedAdminTokens,
}: Pick<ConsoleConfig, 'oidc' | 'adminToken' | 'acceptedAdminTokens'>): ConsoleSignIn {
  const { issuer } = oidc;
  return {
    provider: issuer === undefined ? undefined : createProvider(issuer, oidc),
    seal: createSeal([adminToken, ...acceptedAdminTokens]),
  };
}
