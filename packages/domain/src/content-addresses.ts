import { createHmac, timingSafeEqual } from 'node:crypto';
import { percentDecode, percentEncode } from './percent.ts';

/** An address from which any client may download until it expires. */
export type DownloadAddress = { url: string; /** Milliseconds since the epoch. */ expiresAt: number };

export type ContentAddresses = {
  /** Needs no query; a missing content is noticed when the address is used. */
  sign(content: ContentRef, now: number): DownloadAddress;
  /** The content to which an address refers, given the part after its base; undefined unless the signature is valid. */
  verify(pathAndQuery: string): (ContentRef & { expiresAt: number }) | undefined;
};

type Options = {
  base: string;
  secret: string;
  /** Further secrets whose signatures are accepted. */
  acceptedSecrets?: readonly string[];
};

export type ContentRef = {
  appId: string;
  contentId: string;
  /** Name under which the download is saved, instead of the upload's. */
  filename?: string | undefined;
};

const LIFETIME_MS = 15 * 60_000;

const ADDRESS_PATTERN =
  /^\/([0-9a-f-]{36})\/([0-9a-f-]{36})\?expires=(\d{1,16})(?:&filename=([\w.*%-]{1,3060}))?&signature=([\w-]{43})$/;

/**
 * Download addresses of rich content, `<base>/<app>/<content>?expires=<ms>&filename=<name>&signature=<HMAC-SHA256>`, without a file name if
 * the part has none: a pure function of the id, the name, the time and a secret, so that rendering a message needs no query for each part.
 * docs/protocol/uploads.md#download
 */
export function createContentAddresses({ base, secret, acceptedSecrets = [] }: Options): ContentAddresses {
  const signatureOf = ({ appId, contentId, filename }: ContentRef, expiresAt: number, by = secret) => {
    const named = filename === undefined ? '' : ` ${filename}`;
    return createHmac('sha256', by)
      .update(`download ${appId} ${contentId} ${expiresAt}${named}`)
      .digest('base64url');
  };
  return {
    sign(content, now) {
      const expiresAt = now + LIFETIME_MS;
      const signature = signatureOf(content, expiresAt);
      const named = content.filename === undefined ? '' : `&filename=${percentEncode(content.filename)}`;
      const query = `expires=${expiresAt}${named}&signature=${signature}`;
      return { url: `${base}/${content.appId}/${content.contentId}?${query}`, expiresAt };
    },
    verify(pathAndQuery) {
      const [, appId = '', contentId = '', expires = '', name, given = ''] =
        ADDRESS_PATTERN.exec(pathAndQuery) ?? [];
      const filename = name === undefined ? undefined : percentDecode(name);
      // A different spelling of the same address is refused.
      if (filename !== undefined && percentEncode(filename) !== name) return undefined;
      const expiresAt = Number(expires);
      // Compared as text: decoding base64url ignores some bits of the last character.
      const signature = Buffer.from(given);
      const isGenuine = [secret, ...acceptedSecrets].some((by) => {
        const right = Buffer.from(signatureOf({ appId, contentId, filename }, expiresAt, by));
        return signature.length === right.length && timingSafeEqual(signature, right);
      });
      return isGenuine ? { appId, contentId, expiresAt, filename } : undefined;
    },
  };
}

/** Below the content service's public address. */
export const DOWNLOAD_PATH = '/downloads';
