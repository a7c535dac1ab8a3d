import { corsContentHeaders } from '@parley/domain/http/cors';
import type { Wire } from '@parley/domain/wire';
import type { Exchange } from './exchange.ts';

const EXPOSED_OF_UPLOADS =
  'Range, Location, Retry-After, RateLimit, Upload-Offset, Upload-Length, Upload-Expires, Tus-Resumable, Tus-Version, X-Request-Id';
const EXPOSED_OF_DOWNLOADS =
  'Accept-Ranges, Content-Range, Content-Length, ETag, Retry-After, RateLimit, X-Request-Id';

/** The headers that answer OPTIONS of an upload, for browsers and for tus clients. */
export function uploadPreflight(wire: Wire): Record<string, string> {
  return {
    ...preflight(wire, 'PUT, POST, PATCH, HEAD, DELETE'),
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension': 'termination,expiration',
  };
}

/** The headers that answer OPTIONS of a download. */
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
 * Allows pages of the one origin that was named when the upload was requested; null: of none. '*' until the upload is found,
 * so that a page can read why its address is refused. docs/protocol/uploads.md#ask-for-an-upload
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

/** Allows pages of every origin: a download address is itself the authorization. */
export function allowEveryOrigin({ res }: Exchange): void {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-expose-headers', EXPOSED_OF_DOWNLOADS);
}
