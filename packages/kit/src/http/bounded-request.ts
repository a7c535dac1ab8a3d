import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';

/** How long a header may be, and what stands in the place of a longer one. */
export type HeaderLimit = {
  /** Characters. */
  most: number;
  /**
   * A value that is refused, or ignored, as a malformed one of this header is; undefined: the header is left out, where a missing one
   * is treated like a malformed one.
   */
  standIn?: string;
};

/** Limits by name in lower case. */
export type HeaderLimits = Readonly<Record<string, HeaderLimit>>;

/**
 * The class of a server's requests, for `createServer`: whatever reads a header, libraries included, finds none that is longer than its
 * limit. Headers without a limit are as they were sent.
 */
export function boundedRequest(limits: HeaderLimits): typeof IncomingMessage {
  const byName = new Map(Object.entries(limits));
  const sent = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers');

  class BoundedRequest extends IncomingMessage {
    areHeadersBounded = false;
  }
  // The types of Node have a property here, which a class cannot override with an accessor.
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

/** Node has joined the values of a header that was sent several times; all of them count together. */
function bound(headers: IncomingHttpHeaders, limits: ReadonlyMap<string, HeaderLimit>): void {
  for (const name in headers) {
    const limit = limits.get(name);
    const length = headers[name]?.length ?? 0;
    if (!limit || length <= limit.most) continue;
    if (limit.standIn === undefined) delete headers[name];
    else headers[name] = limit.standIn;
  }
}
