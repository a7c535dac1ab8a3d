import type { Duplex } from 'node:stream';
import type { RawData } from 'ws';
import { errorOf, problem } from '@parley/domain/problems';
import { contain } from '@parley/kit/contain';
import type { GatewayContext } from '../context.ts';
import { CLOSE_CODES, Connection } from '../connection/connection.ts';
import type { WritableWebSocket } from '../connection/writer.ts';
import type { Live } from '../live/index.ts';
import type { Admitted } from './admission.ts';
import { receiveInTurn } from './arrivals.ts';
import type { DroppedReports } from './dropped.ts';
import type { Greeter, Greet } from './greeter.ts';
import type { InFlight } from './in-flight.ts';
import { endFailed, receive } from './receive.ts';
import type { TypingRelay } from './typing.ts';

/** What all sockets of this gateway share. */
export type SocketServer = {
  readonly ctx: GatewayContext;
  readonly live: Live;
  readonly typingRelay: TypingRelay;
  readonly greeter: Greeter;
  readonly dropped: DroppedReports;
  readonly inFlight: InFlight;
  /** True once the process takes no more requests. */
  stopping: boolean;
};

/** A socket after its handshake; `greet` writes its first packet. */
type Opened = Admitted & { webSocket: WritableWebSocket; stream: Duplex; greet: Greet | undefined };

/** Serves a socket after its handshake, until it closes. */
export function openSocket(
  server: SocketServer,
  { webSocket, stream, caller, isExtended, leave, greet }: Opened,
): void {
  const { ctx, live, typingRelay, dropped, inFlight } = server;
  const { now } = ctx.clock;
  const closed = closedCounter(ctx);
  const connection = new Connection({ webSocket, stream, caller, now, isExtended });
  const receiver = { ctx, live, typingRelay, dropped, connection, inFlight };
  function failed(error: unknown): void {
    endFailed(receiver, error);
  }
  function noteReceived(): void {
    connection.lastReceivedAt = now();
  }
  webSocket.on('pong', noteReceived);
  webSocket.on('ping', noteReceived);
  function receivePacket(data: RawData, isBinary: boolean): void {
    if (server.stopping) dropped.report(connection, errorOf(problem('service_unavailable')));
    else receive(receiver, data, isBinary);
  }
  webSocket.on('message', noteReceived);
  receiveInTurn({ webSocket, caller, receive: receivePacket, failed });
  webSocket.on('error', (error) => ctx.log.debug({ error }, 'socket error'));
  webSocket.on('close', (code: number) => {
    connection.markClosed();
    contain(() => closed.inc({ code: CODES.has(code) ? String(code) : 'other' }), failed);
    contain(() => typingRelay.left(connection), failed);
    contain(() => live.leave(connection), failed);
    contain(leave, failed);
  });
  contain(() => {
    greet?.(connection);
    join(server, connection);
  }, failed);
}

/** Codes that get a count of their own. A client may send any other. 1005: none was sent. 1006: the connection broke. */
const CODES: ReadonlySet<number> = new Set([1000, 1001, 1005, 1006, ...Object.values(CLOSE_CODES)]);

function closedCounter({ metrics }: GatewayContext) {
  return metrics.counter({
    name: 'gateway_sockets_closed_total',
    help: 'Sockets that have closed, by close code.',
    labelNames: ['code'] as const,
  });
}

function join({ ctx, live, stopping }: SocketServer, connection: Connection): void {
  live.join(connection);
  ctx.figures.active(connection.caller.appId, connection.caller.userId);
  // The session may have ended since it was looked up.
  if (ctx.auth.hasEnded(connection.caller)) connection.close(CLOSE_CODES.sessionEnded, 'session ended');
  if (stopping) connection.close(CLOSE_CODES.goingAway, 'restarting, reconnect');
}
