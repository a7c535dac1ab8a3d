import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cors } from '../http/cors.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { splitUrl } from '../http/request/url.ts';

export type Refusal = {
  status: 400 | 401 | 403 | 404 | 429 | 503;
  /** Headers besides the common ones; names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
};

export type RefuseUpgrade = (request: IncomingMessage, stream: Duplex, refusal: Refusal) => void;

const REASONS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/**
 * Refuses upgrades with a plain HTTP answer with the common headers, and without a body: upgrades name no media type.
 * SPEC completions 6.
 */
export function createRefuseUpgrade(cors: Cors): RefuseUpgrade {
  return ({ url, headers }, stream, refusal) => {
    const all = {
      'x-request-id': requestIdOf(headers['x-request-id']),
      vary: 'Origin',
      ...cors.headers(splitUrl(url ?? '/').path, headers),
      connection: 'close',
      'content-length': '0',
      ...refusal.headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${headerName(name)}: ${value}\r\n`);
    stream.end(`HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\n${lines.join('')}\r\n`);
  };
}

/** The name of a header as it is usually written, such as X-Request-Id. */
function headerName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** The path of an upgrade, and the session token in its query. */
export function targetOf(request: IncomingMessage): { path: string; token: string | null } {
  const { path, query } = splitUrl(request.url ?? '/');
  return { path, token: new URLSearchParams(query).get('session_token') };
}

/** Whether a path serves sockets: `/`, `/websocket`, or `/websocket/` and the user's shard. */
export function isSocketPath(path: string): boolean {
  return path === '/' || /^\/websocket(\/\d+)?$/.test(path);
}

/** The subprotocols that a client offers. */
export function offeredProtocols(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}
