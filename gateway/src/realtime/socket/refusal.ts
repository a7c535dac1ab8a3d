import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { requestIdOf } from '@parley/domain/http/request-id';
import type { ProblemId } from '@parley/domain/problems';
import { startTimeout } from '@parley/kit/runtime/clock';
import { ANSWER_HEADERS } from '@parley/kit/http/answer-headers';
import { headerName } from '@parley/kit/http/raw-answer';
import { splitTarget } from '@parley/kit/http/target';
import type { SessionCaller } from '../../admission/auth/index.ts';
import { CLOSE_CODES, CLOSE_GRACE_MS } from '../connection/connection.ts';
import type { Uses } from '../context.ts';
import type { Cors } from '@parley/http/exchange/cors';
import { createCors } from '../../admission/cors.ts';
import { countRequest } from '../../admission/count-request.ts';
import { chooseSubprotocol, offerOf } from './upgrade.ts';

export type Refusal = {
  status: keyof typeof REASONS;
  /** Error id sent to clients of the extended subprotocol. */
  error: ProblemId;
  /** Headers besides the common ones; names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The session's user, if known. */
  caller?: SessionCaller | undefined;
};

/** An upgrade request, before its handshake. */
export type Upgrade = {
  request: IncomingMessage;
  stream: Duplex;
  head: Buffer;
  /** As `performance.now` says. */
  began: number;
};

export type Refusals = {
  /**
   * Refuses an upgrade. A client of the extended subprotocol gets a socket that closes at once with a code and the error's id, since
   * browsers hide HTTP answers from pages. Any other client, and every client while too many refused sockets are open, gets the HTTP
   * answer.
   */
  refuse(upgrade: Upgrade, refusal: Refusal): void;
  /** Ends the sockets whose clients have not answered the close frame. */
  stop(): void;
};

const REASONS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Both 429 and 503 mean: try again later. */
const CODES = {
  400: CLOSE_CODES.badUpgrade,
  401: CLOSE_CODES.sessionEnded,
  403: CLOSE_CODES.forbidden,
  404: CLOSE_CODES.badUpgrade,
  429: CLOSE_CODES.tryLater,
  503: CLOSE_CODES.tryLater,
};

/** Longest packet read from a refused client: a close frame has at most 125 bytes. */
const MAX_PACKET_BYTES = 125;

export function createRefusals(
  ctx: Uses<'config' | 'figures' | 'limits' | 'log' | 'requestLog' | 'wire'>,
): Refusals {
  const { wire, config, limits, log } = ctx;
  const cors = createCors(wire, config.allowedOrigins);
  const closing = new Set<WebSocket>();
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PACKET_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: (offered) => chooseSubprotocol(wire, offered) ?? false,
  });

  function close(webSocket: WebSocket, { status, error }: Refusal): void {
    const cancel = startTimeout(CLOSE_GRACE_MS, () => webSocket.terminate());
    closing.add(webSocket);
    webSocket.on('error', (failure) => log.debug({ error: failure }, 'error of a refused socket'));
    webSocket.on('close', () => {
      cancel();
      closing.delete(webSocket);
    });
    webSocket.close(CODES[status], error);
  }

  return {
    refuse(upgrade, refusal) {
      const { request, stream, head } = upgrade;
      note(ctx, upgrade, refusal);
      if (stream.destroyed) return;
      const release = offerOf(wire, request).isExtended ? limits.refusedSockets.take(request) : undefined;
      if (!release) return answer(cors, upgrade, refusal);
      stream.once('close', release);
      // Refuses a malformed handshake itself, without calling back.
      webSockets.handleUpgrade(request, stream, head, (webSocket) => close(webSocket, refusal));
    },
    stop() {
      for (const webSocket of closing) webSocket.terminate();
    },
  };
}

/** Logs a refused upgrade and counts it. */
function note(
  { requestLog, figures }: Uses<'figures' | 'requestLog'>,
  { request, began }: Upgrade,
  refusal: Refusal,
): void {
  const { status, error, caller } = refusal;
  countRequest(figures, { appId: caller?.appId ?? '', userId: '', status });
  requestLog.upgradeRefused(status, performance.now() - began, {
    method: 'GET',
    route: '/websocket',
    appId: caller?.appId,
    userId: caller?.userId,
    error,
    requestId: requestIdOf(request.headers['x-request-id']),
  });
}

/**
 * A plain HTTP answer with the common headers, and without a body: upgrades name no media type.
 * docs/protocol/websocket.md#when-an-upgrade-is-refused
 */
function answer(cors: Cors, { request: { url, headers }, stream }: Upgrade, refusal: Refusal): void {
  const all = {
    'x-request-id': requestIdOf(headers['x-request-id']),
    vary: 'Origin',
    ...ANSWER_HEADERS,
    ...cors.headers(splitTarget(url ?? '/').path, headers),
    connection: 'close',
    'content-length': '0',
    ...refusal.headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${headerName(name)}: ${value}\r\n`);
  // A client that leaves the connection open must not hold it.
  stream.once('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\n${lines.join('')}\r\n`);
}
