import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts, so that reading the database does not reveal them. */
export type Sealer = {
  /** `context` names the owner: a sealed text opens in no other context. */
  seal(text: string, context: string): Buffer;
  /** Seals or opens bytes. */
  sealBytes(bytes: Uint8Array, context: string): Buffer;
  openBytes(sealed: Uint8Array, context: string): Buffer;
  /** Throws when the text was sealed with an unknown key or for another context, or was changed since. */
  open(sealed: Uint8Array, context: string): string;
  /** First bytes of everything that is sealed now. Values with other first bytes were sealed with another key or by another release. */
  readonly head: Buffer;
};

const WITHOUT_KEY_ID = 1;
const WITH_KEY_ID = 2;
const KEY_ID_BYTES = 6;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with keys derived from `keys`, texts that are hard to guess: the first one seals, all of them open. Format: version, id
 * of the key, IV, tag, ciphertext. With a single key there is no id unless `namesKey`, and the format is the one that release 0.1.0
 * reads. docs/decisions/deploying.md#key-ids-in-ciphertexts
 */
export function createSealer(
  keys: readonly [string, ...string[]],
  purpose: string,
  { namesKey = keys.length > 1 } = {},
): Sealer {
  const [current, ...others] = keys.map((key) => derive(key, purpose)) as [Key, ...Key[]];
  const all = [current, ...others];
  const head = namesKey ? Buffer.from([WITH_KEY_ID, ...current.id]) : Buffer.of(WITHOUT_KEY_ID);
  function sealBytes(bytes: Uint8Array, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([head, iv, cipher.getAuthTag(), body]);
  }

  function openBytes(sealed: Uint8Array, context: string): Buffer {
    if (sealed[0] === WITHOUT_KEY_ID) return openWithAny(all, sealed.subarray(1), context);
    if (sealed[0] !== WITH_KEY_ID) throw new Error('unknown version of a sealed text');
    const id = Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES));
    const known = all.find((one) => one.id.equals(id));
    if (!known) throw new Error(`a text is sealed with the key ${id.toString('hex')}, which is not known`);
    return openWith(known, sealed.subarray(1 + KEY_ID_BYTES), context);
  }

  return {
    head,
    sealBytes,
    openBytes,
    seal: (text, context) => sealBytes(Buffer.from(text), context),
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
  };
}

/** `id` tells keys apart, and reveals nothing of them. */
type Key = { readonly key: Buffer; readonly id: Buffer };

function derive(secret: string, purpose: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const hash = createHash('sha256').update(`id of ${purpose}: ${secret}`).digest();
  return { key, id: hash.subarray(0, KEY_ID_BYTES) };
}

/** The tag says which key is the right one. */
function openWithAny(keys: readonly Key[], sealed: Uint8Array, context: string): Buffer {
  let failure: unknown;
  for (const key of keys) {
    try {
      return openWith(key, sealed, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function openWith({ key }: Key, sealed: Uint8Array, context: string): Buffer {
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  const body = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]);
}
