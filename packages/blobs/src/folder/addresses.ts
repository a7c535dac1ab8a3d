import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Address } from '../store.ts';

export type SignedAddress = Address & { key: string };

type Signed = { key: string; expires: string; type: string; filename?: string | undefined };

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

/** `<url>/<key>?expires=<ms>&type=<media type>&filename=<name, if it has one>&signature=<HMAC-SHA256 of all>` */
export function createAddresses({ url, secret, acceptedSecrets = [] }: Options): Addresses {
  function signatureOf({ key, expires, type, filename }: Signed, by = secret): string {
    const named = filename === undefined ? [] : [filename];
    return createHmac('sha256', by)
      .update(JSON.stringify(['blob', key, expires, type, ...named]))
      .digest('base64url');
  }
  return {
    sign(key, { expiresAt, contentType: type, filename }) {
      const expires = String(expiresAt);
      const query = new URLSearchParams({ expires, type });
      if (filename !== undefined) query.set('filename', filename);
      query.set('signature', signatureOf({ key, expires, type, filename }));
      return `${url}/${key}?${query.toString()}`;
    },
    verify(pathAndQuery) {
      const [path = '', query = ''] = pathAndQuery.split('?');
      const key = path.replace(/^\//, '');
      const parameters = new URLSearchParams(query);
      const expires = parameters.get('expires') ?? '';
      const type = parameters.get('type') ?? '';
      const filename = parameters.get('filename') ?? undefined;
      // Compared as text: decoding would ignore some bits of the last character of base64url.
      const signature = Buffer.from(parameters.get('signature') ?? '');
      const isGenuine = [secret, ...acceptedSecrets].some((by) => {
        const expected = Buffer.from(signatureOf({ key, expires, type, filename }, by));
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      });
      if (!isGenuine) return undefined;
      return { key, contentType: type, expiresAt: Number(expires), filename };
    },
  };
}
