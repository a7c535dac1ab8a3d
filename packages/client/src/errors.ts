/** An error as answered by the platform or created by the library. */
export type ErrorRecord = { id: string; code: number; message: string; url: string; data: unknown };

/**
 * Every failure that the library reports. `id` is an id from the table of `/docs/errors`, or one of the library's own: `network_error` (no
 * answer came), `invalid_answer` (the answer was not the platform's), `other_user` (the session belongs to another user), `invalid_id` (an
 * id that cannot be part of a path, such as `..`, or the URI of another kind of object), `destroyed` (the client was destroyed or logged
 * out), `store_full` (the device has no space left), `login_failed` (`identityToken` failed).
 */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly id: string;
  /** The numeric code of `id`; 0 for the library's own errors. */
  readonly code: number;
  /** Details of the error, such as the invalid property. */
  readonly data: unknown;
  /** Id by which the platform's operators find the request in their logs; undefined if there was no answer. */
  readonly requestId: string | undefined;
  /** The status of the HTTP answer; undefined if there was none. */
  readonly status: number | undefined;
  /** Seconds after which another attempt may succeed, if the platform said so. */
  readonly retryAfter: number | undefined;

  /**
   * The library makes them itself.
   *
   * @param error What the platform answered, or the id of an error of the library's own, with a message.
   * @param more What else is known of the request.
   */
  constructor(
    { id, code = 0, message, data = null }: Partial<ErrorRecord> & { id: string },
    more: {
      requestId?: string | undefined;
      status?: number;
      retryAfter?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message ?? id, more);
    this.id = id;
    this.code = code;
    this.data = data;
    this.requestId = more.requestId;
    this.status = more.status;
    this.retryAfter = more.retryAfter;
  }
}

/** The error of calls to a client that was destroyed or logged out. */
export function clientEnded(): ParleyError {
  return new ParleyError({ id: 'destroyed', message: 'The client has ended.' });
}

/** An error as it is stored, and passed to other tabs: without its cause. */
export function recordOfError({ id, code, message, data }: ParleyError): ErrorRecord {
  return { id, code, message, url: '', data };
}

/** An answer by its status alone. */
export function answeredWith(
  id: string,
  more: NonNullable<ConstructorParameters<typeof ParleyError>[1]>,
): ParleyError {
  return new ParleyError({ id, message: `The platform answered ${more.status}.` }, more);
}

/** Throws the error of a request without an answer. `cause`: the error that `fetch` threw. */
export function unanswered(cause: unknown): never {
  throw new ParleyError({ id: 'network_error', message: 'The platform did not answer.' }, { cause });
}
