import type { Duplex } from 'node:stream';
import type { RawData } from 'ws';
import { guardListener } from '@parley/kit/runtime/guard-listener';
import type { RealtimeContext, Uses } from '../context.ts';
import { constantError } from '@parley/http/errors/error-form';
import { CLOSE_CODES, Connection } from '../connection/connection.ts';
import type { WritableWebSocket } from '../connection/writer.ts';
import type { Live } from '../live/index.ts';
import type { Admitted } from './admission.ts';
import { createLargePacketQueue, type LargePacketQueue } from './large-packet-queue.ts';
import type { DroppedReports } from './dropped.ts';
import type { HelloSender, SendHello } from './hello-sender.ts';
import { answerPings } from './heartbeat.ts';
import type { InFlight } from './in-flight.ts';
import { endFailed, receive } from './receive.ts';
import { createRestraint } from './restraint.ts';
import type { TypingRelay } from './typing.ts';

/** Shared by all sockets of this gateway. */
export type SocketServer = {
  readonly ctx: RealtimeContext;
  readonly live: Live;
  readonly typingRelay: TypingRelay;
  readonly helloSender: HelloSender;
  readonly dropped: DroppedReports;
  readonly inFlight: InFlight;
  /** True once the process accepts no more requests. */
  stopping: boolean;
};

/** A socket after its handshake; `sendHello` writes its first packet. */
type Opened = Admitted & { webSocket: WritableWebSocket; stream: Duplex; sendHello: SendHello | undefined };

/** Serves a socket after its handshake, until it closes. */
export function openSocket(
  server: SocketServer,
  { webSocket, stream, caller, isExtended, isLean, leave, sendHello }: Opened,
): void {
  const { ctx, live, typingRelay, dropped, inFlight } = server;
  const { now } = ctx.clock;
  const closed = closedCounter(ctx);
  const leanWire = isLean ? ctx.wire : undefined;
  const connection = new Connection({ webSocket, stream, caller, now, isExtended, leanWire });
  function failed(error: unknown): void {
    endFailed({ ctx, connection }, error);
  }
  function noteReceived(): void {
    connection.lastReceivedAt = now();
  }
  webSocket.on('message', noteReceived);
  const isOpen = () => connection.isOpen;
  const packetQueue = createLargePacketQueue({ webSocket, caller, isOpen, receive: receivePacket, failed });
  const refused = restrain(ctx, connection, packetQueue);
  const receiver = { ctx, live, typingRelay, dropped, connection, inFlight, refused };
  function receivePacket(data: RawData, isBinary: boolean): void {
    if (!server.stopping) return receive(receiver, data, isBinary);
    dropped.report(connection, STOPPING);
    refused();
  }
  for (const frame of ['ping', 'pong']) {
    webSocket.on(frame, noteReceived);
    webSocket.on(frame, refused);
  }
  answerPings(webSocket);
  webSocket.on('error', (error) => ctx.log.debug({ error }, 'socket error'));
  webSocket.on('close', (code: number) => {
    connection.markClosed();
    guardListener(() => closed.inc({ code: CODES.has(code) ? String(code) : 'other' }), failed);
    guardListener(() => typingRelay.left(connection), failed);
    guardListener(() => live.leave(connection), failed);
    guardListener(leave, failed);
  });
  guardListener(() => {
    sendHello?.(connection);
    join(server, connection);
  }, failed);
}

const STOPPING = constantError('service_unavailable');

function restrain(
  { limits }: Uses<'limits'>,
  connection: Connection,
  packetQueue: LargePacketQueue,
): () => void {
  const { appId, userId } = connection.caller;
  const user = `user ${appId}/${userId}`;
  const countRefusal = () => limits.refusals.count('socket', user);
  return createRestraint({ connection, packetQueue, countRefusal, now: () => performance.now() });
}

/** Close codes that are counted separately. A client may send any code. 1005: none was sent. 1006: the connection broke. */
const CODES: ReadonlySet<number> = new Set([1000, 1001, 1005, 1006, ...Object.values(CLOSE_CODES)]);

function closedCounter({ metrics }: Uses<'metrics'>) {
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
