import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts, so that reading the database does not reveal them. */
export type Sealer = {
  /** `context` names the owner: a sealed text opens in no other context. */
  seal(text: string, context: string): Buffer;
  /** Throws when the text was sealed with another key or for another context, or was changed since. */
  open(sealed: Uint8Array, context: string): string;
};

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key derived from `key`, a text that is hard to guess. Format: version, IV, tag, ciphertext. */
export function createSealer(key: string, purpose: string): Sealer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derived, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION) throw new Error('unknown version of a sealed text');
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', derived, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      const body = decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
