import { SignJWT, importPKCS8 } from 'jose';
import type { Config } from './config.ts';

// The fields of this application's login form.
export type Login = {
  user: string;
  nonce: string;
  first_name?: string;
  last_name?: string;
  display_name?: string;
  avatar_url?: string;
};

export type SignIdentityToken = (login: Login) => Promise<string>;

const LIFETIME_SECONDS = 300;

// A real application's backend would check a password here; the demo does not.
export async function createSigner(
  config: Pick<Config, 'privateKeyPem' | 'wireName' | 'keyId' | 'providerId'>,
  now: () => number = Date.now,
): Promise<SignIdentityToken> {
  const key = await importPKCS8(config.privateKeyPem, 'RS256');
  return async ({ user, nonce, ...profile }) => {
    const issuedAt = Math.floor(now() / 1000);
    const header = { typ: 'JWT', alg: 'RS256', cty: `${config.wireName}-eit;v=1`, kid: config.keyId };
    const claims = { display_name: displayName(user), ...profile };
    return new SignJWT({ ...claims, iss: config.providerId, prn: user, nce: nonce })
      .setProtectedHeader(header)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(key);
  };
}

/** As the users of the demonstration are shown. */
export function displayName(user: string): string {
  return user.charAt(0).toUpperCase() + user.slice(1);
}
