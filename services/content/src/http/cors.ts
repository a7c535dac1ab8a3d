import { corsContentHeaders } from '@parley/domain/cors';
import type { Wire } from '@parley/domain/wire';
import type { Exchange } from './exchange.ts';

const EXPOSED_OF_UPLOADS =
  'Range, Location, Retry-After, RateLimit, Upload-Offset, Upload-Length, Upload-Expires, Tus-Resumable, Tus-Version, X-Request-Id';
const EXPOSED_OF_DOWNLOADS =
  'Accept-Ranges, Content-Range, Content-Length, ETag, Retry-After, RateLimit, X-Request-Id';

/** The answer to OPTIONS of an upload: of browsers, and of clients of tus. */
export function uploadPreflight(wire: Wire): Record<string, string> {
  return {
    ...preflight(wire, 'PUT, POST, PATCH, HEAD, DELETE'),
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'termination,expiration',
  };
}

/** The answer to OPTIONS of a download. */
export function downloadPreflight(wire: Wire): Record<string, string> {
  return preflight(wire, 'GET, HEAD');
}

function preflight(wire: Wire, methods: string): Record<string, string> {
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': corsContentHeaders(wire).join(', '),
    'access-control-max-age': '7200',
  };
}

/**
 * Browsers of one origin, fixed when the upload was asked for, may use its address; null: of none. While the upload is not
 * known it is '*', so that a page can read why its address is refused. SPEC Upload-Origin
 */
export function allowOrigin({ res }: Exchange, origin: string | null): void {
  if (origin === null) {
    for (const name of ['access-control-allow-origin', 'access-control-expose-headers'])
      res.removeHeader(name);
    return;
  }
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', EXPOSED_OF_UPLOADS);
  res.setHeader('vary', 'Origin');
}

/** A page of any origin may use a download address: who has it may have the bytes. */
export function allowEveryOrigin({ res }: Exchange): void {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-expose-headers', EXPOSED_OF_DOWNLOADS);
}
