import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Address } from '../store.ts';

export type SignedAddress = Address & { key: string };

export type Addresses = {
  /** The signed address of a blob. */
  sign(key: string, address: Address): string;
  /** The signed values of a path below the base, with its query; undefined when the signature is wrong. */
  verify(pathAndQuery: string): SignedAddress | undefined;
};

/** `<url>/<key>?expires=<ms>&type=<media type>&signature=<HMAC-SHA256 of the three>` */
export function createAddresses({ url, secret }: { url: string; secret: string }): Addresses {
  function signatureOf(key: string, expires: string, type: string): string {
    return createHmac('sha256', secret)
      .update(JSON.stringify(['blob', key, expires, type]))
      .digest('base64url');
  }
  return {
    sign(key, { expiresAt, contentType }) {
      const expires = String(expiresAt);
      const signature = signatureOf(key, expires, contentType);
      return `${url}/${key}?${new URLSearchParams({ expires, type: contentType, signature }).toString()}`;
    },
    verify(pathAndQuery) {
      const [path = '', query = ''] = pathAndQuery.split('?');
      const key = path.replace(/^\//, '');
      const parameters = new URLSearchParams(query);
      const expires = parameters.get('expires') ?? '';
      const contentType = parameters.get('type') ?? '';
      // Compared as text: decoding would ignore some bits of the last character of base64url.
      const signature = Buffer.from(parameters.get('signature') ?? '');
      const expected = Buffer.from(signatureOf(key, expires, contentType));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
      return { key, contentType, expiresAt: Number(expires) };
    },
  };
}
