import { createHash } from 'node:crypto';
import { createSealer } from '@parley/kit/seal';

/** A sealed text, with the id of the key that sealed it. */
export type Sealed = { keyId: string; sealed: Uint8Array };

/** Seals texts with the present key, and opens those that a previous one sealed too. */
export type KeyRing = {
  /** Of the key that seals. */
  readonly currentId: string;
  /** `context` names the owner: a sealed text opens in no other context. */
  seal(text: string, context: string): Sealed;
  /** Throws when the key is not known, or the text was changed or is of another context. */
  open(sealed: Sealed, context: string): string;
};

const PURPOSE = 'parley push keys';

export function createKeyRing(key: string, previous: readonly string[]): KeyRing {
  const sealers = new Map([key, ...previous].map((one) => [idOf(one), createSealer([one], PURPOSE)]));
  const current = idOf(key);
  const sealer = createSealer([key], PURPOSE);
  return {
    currentId: current,
    seal: (text, context) => ({ keyId: current, sealed: sealer.seal(text, context) }),
    open({ keyId, sealed }, context) {
      const known = sealers.get(keyId);
      if (!known) throw new Error(`the encryption key ${keyId} is not known`);
      return known.open(sealed, context);
    },
  };
}

/** Tells keys apart, and reveals nothing of them. */
function idOf(key: string): string {
  return createHash('sha256').update(`id of ${PURPOSE}: ${key}`).digest('hex').slice(0, 12);
}
