import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';

/** Longest value of a header, and a replacement for longer ones. */
export type HeaderLimit = {
  /** Characters. */
  most: number;
  /**
   * A value that is refused or ignored like any malformed one of this header; undefined: the header is removed, where a missing header is
   * treated like a malformed one.
   */
  standIn?: string;
};

/** Limits by name in lower case. */
export type HeaderLimits = Readonly<Record<string, HeaderLimit>>;

/**
 * The request class for `createServer`: code that reads a header, including libraries, never sees one longer than its limit. Headers
 * without a limit are unchanged.
 */
export function boundedRequest(limits: HeaderLimits): typeof IncomingMessage {
  const byName = new Map(Object.entries(limits));
  const sent = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers');

  class BoundedRequest extends IncomingMessage {
    areHeadersBounded = false;
  }
  // Node's types declare a property here, which a class cannot override with an accessor.
  Object.defineProperty(BoundedRequest.prototype, 'headers', {
    ...sent,
    get(this: BoundedRequest): IncomingHttpHeaders {
      const headers = sent?.get?.call(this) as IncomingHttpHeaders;
      if (!this.areHeadersBounded) bound(headers, byName);
      this.areHeadersBounded = true;
      return headers;
    },
  });
  return BoundedRequest;
}

/** Node has joined repeated headers; their lengths count together. */
function bound(headers: IncomingHttpHeaders, limits: ReadonlyMap<string, HeaderLimit>): void {
  for (const name in headers) {
    const limit = limits.get(name);
    const length = headers[name]?.length ?? 0;
    if (!limit || length <= limit.most) continue;
    if (limit.standIn === undefined) delete headers[name];
    else headers[name] = limit.standIn;
  }
}
