type Limit = {
  /** Characters. */
  most: number;
  /** Value that replaces a longer one. Undefined: the header is left out. */
  standIn?: string;
};

/** A value that is invalid for every header. */
const MALFORMED = '?';

/**
 * Every request header that a process or a library in it reads, with its longest value in characters. A longer one is refused where a
 * malformed one is, and otherwise ignored. docs/protocol/requests.md#long-headers
 */
export const HEADER_LIMITS: Readonly<Record<string, Limit>> = {
  // Endpoints that need Accept refuse requests without it.
  accept: { most: 1_024 },
  'accept-encoding': { most: 512 },
  authorization: { most: 4_096, standIn: '' },
  'idempotency-key': { most: 255, standIn: '' },
  'if-none-match': { most: 1_024, standIn: '' },
  'x-http-method-override': { most: 32, standIn: MALFORMED },
  'x-request-id': { most: 128 },
  traceparent: { most: 256 },
  host: { most: 512, standIn: MALFORMED },
  // The Origin that browsers send for a page without one. A request without the header comes from no page, and may do more.
  origin: { most: 512, standIn: 'null' },
  'sec-fetch-site': { most: 32, standIn: 'cross-site' },
  // Long enough for the cookies of all programs on this machine, which a browser sends together.
  cookie: { most: 16_384 },
  upgrade: { most: 64, standIn: MALFORMED },
  'sec-websocket-key': { most: 64, standIn: MALFORMED },
  'sec-websocket-version': { most: 16, standIn: MALFORMED },
  'sec-websocket-protocol': { most: 1_024 },
  'sec-websocket-extensions': { most: 1_024 },
  'upload-content-type': { most: 1_024, standIn: MALFORMED },
  'upload-content-length': { most: 64, standIn: MALFORMED },
  // 255 characters of four bytes, each percent-encoded.
  'upload-content-filename': { most: 3_060, standIn: '%' },
  'upload-origin': { most: 512, standIn: MALFORMED },
  'content-range': { most: 128, standIn: MALFORMED },
  'content-type': { most: 1_024, standIn: MALFORMED },
  'tus-resumable': { most: 32, standIn: MALFORMED },
  'upload-offset': { most: 64, standIn: MALFORMED },
  // With malformed conditions and ranges the whole content is the answer.
  range: { most: 1_024 },
  'if-range': { most: 1_024, standIn: MALFORMED },
  'if-modified-since': { most: 64 },
  'if-unmodified-since': { most: 64 },
  'if-match': { most: 1_024, standIn: MALFORMED },
  'cache-control': { most: 512 },
  'content-encoding': { most: 64, standIn: MALFORMED },
  'connect-protocol-version': { most: 16, standIn: MALFORMED },
  'connect-timeout-ms': { most: 32, standIn: MALFORMED },
};
