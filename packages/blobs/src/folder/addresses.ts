import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Address } from '../store.ts';

export type SignedAddress = Address & { key: string };

export type Addresses = {
  /** The signed address of a blob. */
  sign(key: string, address: Address): string;
  /** The signed values of a path below the base, with its query; undefined when the signature is wrong. */
  verify(pathAndQuery: string): SignedAddress | undefined;
};

type Options = {
  url: string;
  secret: string;
  /** Addresses signed with one of these are genuine too. */
  acceptedSecrets?: readonly string[];
};

/** `<url>/<key>?expires=<ms>&type=<media type>&signature=<HMAC-SHA256 of the three>` */
export function createAddresses({ url, secret, acceptedSecrets = [] }: Options): Addresses {
  function signatureOf(values: readonly [key: string, expires: string, type: string], by = secret): string {
    return createHmac('sha256', by)
      .update(JSON.stringify(['blob', ...values]))
      .digest('base64url');
  }
  return {
    sign(key, { expiresAt, contentType }) {
      const expires = String(expiresAt);
      const signature = signatureOf([key, expires, contentType]);
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
      const isGenuine = [secret, ...acceptedSecrets].some((by) => {
        const expected = Buffer.from(signatureOf([key, expires, contentType], by));
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      });
      if (!isGenuine) return undefined;
      return { key, contentType, expiresAt: Number(expires) };
    },
  };
}
