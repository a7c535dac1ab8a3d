import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import { claimOf, type Claims } from './roles.ts';
import type { SignIn } from './seal.ts';
import type { OidcConfig } from './settings.ts';

/** The identity provider of the console. All of it fails when the provider cannot be reached or answers against the standard. */
export type Provider = {
  /** Begins a sign-in: where to send the browser, and what to remember until it comes back. */
  begin(redirectUri: string): Promise<{ url: URL; signIn: Omit<SignIn, 'returnTo'> }>;
  /** Ends a sign-in with the address at which the browser came back. */
  finish(address: URL, signIn: SignIn): Promise<Claims & { iss: string; sub: string }>;
  /** Where a browser ends its session at the provider, which asks the person first; undefined: the provider has no such address. */
  endSessionUrl(): Promise<URL | undefined>;
};

const TIMEOUT_SECONDS = 4;

/** Asks the provider for its description at the first sign-in, and again after a failure. */
export function createProvider(issuer: string, config: OidcConfig): Provider {
  const { clientId, clientSecret, scope, rolesClaim } = config;
  let found: Promise<Configuration> | undefined;
  async function configured(): Promise<Configuration> {
    const mine = (found ??= discover());
    try {
      return await mine;
    } catch (error) {
      if (found === mine) found = undefined;
      throw error;
    }
  }
  function discover(): Promise<Configuration> {
    const authentication = clientSecret === undefined ? None() : ClientSecretBasic(clientSecret);
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    return discovery(new URL(issuer), clientId, undefined, authentication, {
      execute,
      timeout: TIMEOUT_SECONDS,
    });
  }
  return {
    async begin(redirectUri) {
      const provider = await configured();
      const signIn = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope,
        state: signIn.state,
        nonce: signIn.nonce,
        code_challenge: await calculatePKCECodeChallenge(signIn.verifier),
        code_challenge_method: 'S256',
      });
      return { url, signIn };
    },
    async finish(address, { state, nonce, verifier }) {
      const provider = await configured();
      const tokens = await authorizationCodeGrant(provider, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the identity provider gave no ID token');
      if (claimOf(claims, rolesClaim) !== undefined) return claims;
      return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    },
    async endSessionUrl() {
      const provider = await configured();
      const isOffered = provider.serverMetadata().end_session_endpoint !== undefined;
      return isOffered ? buildEndSessionUrl(provider, {}) : undefined;
    },
  };
}
