import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

/** State of a sign-in under way, until the browser comes back. */
export type SignIn = { state: string; nonce: string; verifier: string; returnTo: string };

export type Seal = {
  /** Encrypts with the first secret, so that any process that has it can open the text, for ten minutes. */
  close(signIn: SignIn): Promise<string>;
  /** Opens with any of the secrets. Undefined for a text that is too old, or that a process with another secret sealed. */
  open(text: string): Promise<SignIn | undefined>;
};

/** Seconds that signing in at the identity provider may take. */
export const SIGN_IN_SECONDS = 600;

const KEY_BYTES = 32;
const AUDIENCE = 'console-sign-in';

export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const [current, ...others] = secrets.map(deriveKey) as [Uint8Array, ...Uint8Array[]];
  return {
    close: (signIn) =>
      new EncryptJWT(signIn)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setExpirationTime(`${SIGN_IN_SECONDS}s`)
        .encrypt(current),
    async open(text) {
      for (const key of [current, ...others]) {
        const signIn = await openWith(key, text);
        if (signIn) return signIn;
      }
      return undefined;
    },
  };
}

function deriveKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', AUDIENCE, KEY_BYTES));
}

async function openWith(key: Uint8Array, text: string): Promise<SignIn | undefined> {
  try {
    const options = { audience: AUDIENCE, keyManagementAlgorithms: ['dir'] };
    const { payload } = await jwtDecrypt<SignIn>(text, key, options);
    const { state, nonce, verifier, returnTo } = payload;
    return { state, nonce, verifier, returnTo };
  } catch {
    return undefined;
  }
}
