import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from './config.ts';

/** Decides who may ask this server, which any page that is open in a browser of this machine can reach. */
export type Guard = {
  /** What the chat's own page sends back with each action. Other pages cannot read it. */
  readonly token: string;
  /** Whether the request names this server by an address of this machine; not so if a foreign name was made to lead here. */
  isAddressed(headers: IncomingHttpHeaders): boolean;
  /** Whether it comes from a program, such as curl, or from a page of this server or of the platform. */
  isFromLaptop(headers: IncomingHttpHeaders): boolean;
  /** Whether it comes from the chat's own page. */
  isFromChat(headers: IncomingHttpHeaders): boolean;
};

/** The header in which the page sends its token. */
export const TOKEN_HEADER = 'x-page-token';

const NAMES = ['127.0.0.1', 'localhost'];

export function createGuard({ port, baseUrl, privateKeyPem }: Config): Guard {
  const hosts = NAMES.map((name) => `${name}:${port}`);
  const own = hosts.map((host) => `http://${host}`);
  const platform = NAMES.map((name) => withHostname(baseUrl, name));
  // The same after a restart, so that an open page goes on.
  const token = createHmac('sha256', privateKeyPem).update('page token').digest('base64url');
  return {
    token,
    isAddressed: ({ host }) => host !== undefined && hosts.includes(host),
    isFromLaptop({ origin, 'sec-fetch-site': site }) {
      // Images and links of other sites are asked for without an origin.
      if (origin === undefined) return site !== 'cross-site';
      return own.includes(origin) || platform.includes(origin);
    },
    isFromChat({ origin, [TOKEN_HEADER]: given }) {
      return origin !== undefined && own.includes(origin) && isSame(String(given), token);
    },
  };
}

function withHostname(url: string, hostname: string): string {
  const changed = new URL(url);
  changed.hostname = hostname;
  return changed.origin;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
