import type { IncomingHttpHeaders } from 'node:http';
import { corsRequestHeaders } from '@parley/domain/http/cors';
import type { Wire } from '@parley/domain/wire';

export type Cors = {
  /** Headers of every answer to a browser; none for an origin that is not allowed. */
  headers(path: string, request: IncomingHttpHeaders): Record<string, string>;
  /** Whether pages of other origins may use a path: not the administration API, the console, and the gateway's own pages. */
  isShared(path: string): boolean;
  /** Further headers of the answer to a preflight. */
  readonly preflight: Readonly<Record<string, string>>;
};

const NO_HEADERS: Record<string, string> = {};

/** For a server that pages of other origins may not use at all. */
export const NO_CORS: Cors = { isShared: () => false, headers: () => NO_HEADERS, preflight: {} };

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** `origins` undefined: all. docs/protocol/requests.md#pages-of-other-origins */
export function createCors(wire: Wire, origins: readonly string[] | undefined): Cors {
  const allowed = origins && new Set(origins);
  const exposed = `${wire.countHeader}, Link, Location, Retry-After, RateLimit, X-Request-Id`;
  return {
    isShared,
    headers(path, { origin }) {
      if (!origin || !isShared(path) || (allowed && !allowed.has(origin))) return NO_HEADERS;
      return {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': exposed,
      };
    },
    preflight: {
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': corsRequestHeaders(wire).join(', '),
      'access-control-max-age': '7200',
    },
  };
}

function isShared(path: string): boolean {
  return !/^\/(admin|console|docs)(\/|$)/.test(path);
}
