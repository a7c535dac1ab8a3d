import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Address } from '../store.ts';

export type SignedAddress = Address & { key: string };

export type Addresses = {
  sign(key: string, address: Address): string;
  /** What was signed, of a path below the base with its query; undefined unless it is all genuine. */
  verify(pathAndQuery: string): SignedAddress | undefined;
};

/** `<url>/<key>?expires=<ms>&type=<media type>&signature=<HMAC-SHA256 of the three>` */
export function createAddresses({ url, secret }: { url: string; secret: string }): Addresses {
  const signatureOf = (key: string, expires: string, type: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['blob', key, expires, type]))
      .digest('base64url');
  return {
    sign(key, { expiresAt, contentType }) {
      const expires = String(expiresAt);
      const signature = signatureOf(key, expires, contentType);
      return `${url}/${key}?${new URLSearchParams({ expires, type: contentType, signature }).toString()}`;
    },
    verify(pathAndQuery) {
      const [path = '', query = ''] = pathAndQuery.split('?');
      const key = path.replace(/^\//, '');
      const given = new URLSearchParams(query);
      const expires = given.get('expires') ?? '';
      const contentType = given.get('type') ?? '';
      // As text: the last character of base64url has bits that decoding ignores.
      const signature = Buffer.from(given.get('signature') ?? '');
      const right = Buffer.from(signatureOf(key, expires, contentType));
      if (signature.length !== right.length || !timingSafeEqual(signature, right)) return undefined;
      return { key, contentType, expiresAt: Number(expires) };
    },
  };
}
