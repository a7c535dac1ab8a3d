import type { IncomingHttpHeaders } from 'node:http';

export type Cors = {
  /** Headers of every answer to a browser; none for an origin that is not allowed. */
  headers(path: string, request: IncomingHttpHeaders): Record<string, string>;
  /** Whether pages of other origins may use a path: not the administration API, the console, and the gateway's own pages. */
  isShared(path: string): boolean;
  /** Further headers of the answer to a preflight. */
  readonly preflight: Readonly<Record<string, string>>;
};

export const NO_HEADERS: Record<string, string> = {};

/** For a server that pages of other origins may not use at all. */
export const NO_CORS: Cors = { isShared: () => false, headers: () => NO_HEADERS, preflight: {} };
