import type { Wire } from '../wire.ts';

/**
 * Headers that the pages of any origin may send with a request, in lower case.
 * docs/protocol/requests.md#pages-of-other-origins
 */
export function corsRequestHeaders({ clientVersionHeader }: Wire): string[] {
  return [
    'accept',
    'authorization',
    'content-type',
    'if-none-match',
    'client-id',
    clientVersionHeader.toLowerCase(),
    'upload-content-type',
    'upload-content-length',
    'upload-content-filename',
    'upload-origin',
    'x-http-method-override',
    'idempotency-key',
    'x-request-id',
    'traceparent',
    'tracestate',
  ];
}

/** Headers for the addresses of uploads and downloads, including those for pieces, ranges and the protocol of tus. */
export function corsContentHeaders(wire: Wire): string[] {
  return [
    ...corsRequestHeaders(wire),
    'content-range',
    'range',
    'if-range',
    'tus-resumable',
    'upload-offset',
    'upload-length',
    'upload-metadata',
  ];
}
