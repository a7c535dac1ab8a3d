import type { Exchange } from './exchange.ts';

const EXPOSED =
  'Range, Location, Retry-After, Upload-Offset, Upload-Length, Upload-Expires, Tus-Resumable, Tus-Version';

/** The answer to OPTIONS: of browsers, and of clients of tus. */
export const PREFLIGHT = {
  'access-control-allow-methods': 'PUT, POST, PATCH, HEAD, DELETE',
  'access-control-allow-headers':
    'content-type, content-range, tus-resumable, upload-offset, upload-length, x-http-method-override, x-request-id',
  'access-control-max-age': '7200',
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'termination,expiration',
};

/** Browsers of one origin, fixed when the upload was asked for, may use its address; null: of none. SPEC Upload-Origin */
export function allowOrigin({ res }: Exchange, origin: string | null): void {
  if (origin === null) return;
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', EXPOSED);
  res.setHeader('vary', 'Origin');
}
