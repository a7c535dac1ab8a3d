import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

/** What a sign-in under way has to remember until the browser comes back. */
export type SignIn = { state: string; nonce: string; verifier: string; returnTo: string };

export type Seal = {
  /** Encrypts, so that any gateway with the same secret can open it, for ten minutes. */
  close(signIn: SignIn): Promise<string>;
  /** Undefined for a text that is not of a gateway with this secret, or too old. */
  open(text: string): Promise<SignIn | undefined>;
};

/** Seconds that signing in at the identity provider may take. */
export const SIGN_IN_SECONDS = 600;

const KEY_BYTES = 32;
const AUDIENCE = 'console-sign-in';

export function createSeal(secret: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', AUDIENCE, KEY_BYTES));
  return {
    close: (signIn) =>
      new EncryptJWT(signIn)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setExpirationTime(`${SIGN_IN_SECONDS}s`)
        .encrypt(key),
    async open(text) {
      try {
        const options = { audience: AUDIENCE, keyManagementAlgorithms: ['dir'] };
        const { payload } = await jwtDecrypt<SignIn>(text, key, options);
        const { state, nonce, verifier, returnTo } = payload;
        return { state, nonce, verifier, returnTo };
      } catch {
        return undefined;
      }
    },
  };
}
