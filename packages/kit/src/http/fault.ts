/** A reason to refuse a request before its path is examined. `header`: the faulty header in its usual spelling. */
export type Fault = {
  kind: 'malformed' | 'headers_too_large' | 'timed_out';
  message: string;
  header?: string;
  /** Whether the start of the connection's next request is certain. Otherwise the connection is closed. */
  keepsConnection?: boolean;
};

/** An answer to a fault, in the form of the listener's other errors. */
export type FaultAnswer = {
  status: 400 | 408 | 431;
  /** Headers in addition to `ANSWER_HEADERS`; names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
};

export const MALFORMED: Fault = { kind: 'malformed', message: 'The request is not HTTP/1.1.' };
export const TIMED_OUT: Fault = { kind: 'timed_out', message: 'The request did not arrive in time.' };
export const HEADERS_TOO_LARGE: Fault = {
  kind: 'headers_too_large',
  message: 'The headers of the request are too large.',
};

/** The fault that the parser of Node found. */
export function faultOfParser({ code }: NodeJS.ErrnoException): Fault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return TIMED_OUT;
  return code === 'HPE_HEADER_OVERFLOW' ? HEADERS_TOO_LARGE : MALFORMED;
}

/** Answer to a fault for listeners whose errors are lines of text. */
export function plainFaultAnswer({ kind, message }: Fault): FaultAnswer {
  const status = kind === 'timed_out' ? 408 : kind === 'headers_too_large' ? 431 : 400;
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${message}\n` };
}
