import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { splitUrl } from '../http/url.ts';
import { requestIdOf } from '../http/request-id.ts';

export type Refusal = {
  status: 400 | 401 | 403 | 404 | 429 | 503;
  /** Seconds. */
  retryAfter?: number | undefined;
};

const reasons = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Refuses an upgrade with a plain HTTP answer; an upgrade needs no media type and gets no error body. SPEC completions 6. */
export const refuseUpgrade = (stream: Duplex, { status, retryAfter }: Refusal): void => {
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    `X-Request-Id: ${requestIdOf(undefined)}`,
    'Connection: close',
    'Content-Length: 0',
  ];
  if (retryAfter !== undefined) head.push(`Retry-After: ${retryAfter}`);
  stream.end(`${head.join('\r\n')}\r\n\r\n`);
};

/** Where an upgrade goes, and the session token in its query. */
export const targetOf = (request: IncomingMessage): { path: string; token: string | null } => {
  const { path, query } = splitUrl(request.url ?? '/');
  return { path, token: new URLSearchParams(query).get('session_token') };
};

/** Whether a path is one that upgrades: the base, `/websocket`, or that with the user's shard. */
export const isSocketPath = (path: string): boolean => path === '/' || /^\/websocket(\/\d+)?$/.test(path);

/** The subprotocols that a client offers. */
export const offeredProtocols = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
