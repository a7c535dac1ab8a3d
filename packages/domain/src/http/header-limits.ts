type Limit = {
  /** Characters. */
  most: number;
  /** Value that replaces a longer one. Undefined: the header is left out. */
  standIn?: string;
};

/** None of the values that a header may have. */
const MALFORMED = '?';

/**
 * Every header of requests whose value a process reads, or a library in it, with the most characters that it may have. A longer one is
 * refused where a malformed one is, and otherwise ignored. docs/protocol/requests.md#long-headers
 */
export const HEADER_LIMITS: Readonly<Record<string, Limit>> = {
  // A missing Accept is refused where Accept counts.
  accept: { most: 1_024 },
  'accept-encoding': { most: 512 },
  authorization: { most: 4_096, standIn: '' },
  'idempotency-key': { most: 255, standIn: '' },
  'if-none-match': { most: 1_024, standIn: '' },
  'x-http-method-override': { most: 32, standIn: MALFORMED },
  'x-request-id': { most: 128 },
  traceparent: { most: 256 },
  host: { most: 512, standIn: MALFORMED },
  // What browsers say of a page that has no origin. A request without an origin comes from no page, and may do more.
  origin: { most: 512, standIn: 'null' },
  'sec-fetch-site': { most: 32, standIn: 'cross-site' },
  // A browser sends those of all programs on this machine.
  cookie: { most: 16_384 },
  upgrade: { most: 64, standIn: MALFORMED },
  'sec-websocket-key': { most: 64, standIn: MALFORMED },
  'sec-websocket-version': { most: 16, standIn: MALFORMED },
  'sec-websocket-protocol': { most: 1_024 },
  'sec-websocket-extensions': { most: 1_024 },
  'upload-content-type': { most: 1_024, standIn: MALFORMED },
  'upload-content-length': { most: 64, standIn: MALFORMED },
  // 255 characters of four bytes, each byte percent-encoded.
  'upload-content-filename': { most: 3_060, standIn: '%' },
  'upload-origin': { most: 512, standIn: MALFORMED },
  'content-range': { most: 128, standIn: MALFORMED },
  'content-type': { most: 1_024, standIn: MALFORMED },
  'tus-resumable': { most: 32, standIn: MALFORMED },
  'upload-offset': { most: 64, standIn: MALFORMED },
  // Malformed conditions and ranges: the answer is the whole.
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
