import { corsRequestHeaders } from '@parley/domain/http/cors';
import type { Wire } from '@parley/domain/wire';
import { NO_HEADERS, type Cors } from '@parley/http/exchange/cors';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** `origins` undefined: every origin is allowed. docs/protocol/requests.md#pages-of-other-origins */
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
  return !/^\/(admin|console|docs|library)(\/|$)/.test(path);
}
