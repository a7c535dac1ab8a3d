import {
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { createClient, redeemCode, type Client } from './client.ts';
import { claimOf, type Claims } from './roles.ts';
import type { SignIn } from './seal.ts';
import type { OidcConfig } from './settings.ts';

/** The identity provider of the console. All of it fails when the provider cannot be reached or answers against the standard. */
export type Provider = {
  /** Begins a sign-in: where to send the browser, and what to remember until it comes back. */
  begin(redirectUri: string): Promise<{ url: URL; signIn: Omit<SignIn, 'returnTo'> }>;
  /** Ends a sign-in with the address at which the browser came back. */
  finish(address: URL, signIn: SignIn): Promise<Claims & { iss: string; sub: string }>;
  /** The address at which a browser ends its session at the provider, which asks the person first; undefined: the provider has no such address. */
  endSessionUrl(): Promise<URL | undefined>;
};

export function createProvider(issuer: string, config: OidcConfig): Provider {
  const { clientId, clientSecret, acceptedClientSecrets, scope, rolesClaim } = config;
  const client = createClient(issuer, clientId, clientSecret);
  const others = acceptedClientSecrets.map((secret) => createClient(issuer, clientId, secret));
  const clients: [Client, ...Client[]] = [client, ...others];
  return {
    async begin(redirectUri) {
      const provider = await client();
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
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      const { provider, tokens } = await redeemCode(clients, address, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error('the identity provider gave no ID token');
      if (claimOf(claims, rolesClaim) !== undefined) return claims;
      return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    },
    async endSessionUrl() {
      const provider = await client();
      const isOffered = provider.serverMetadata().end_session_endpoint !== undefined;
      return isOffered ? buildEndSessionUrl(provider, {}) : undefined;
    },
  };
}
