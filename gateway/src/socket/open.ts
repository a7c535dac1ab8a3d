import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { contain } from '@parley/kit/contain';
import type { GatewayContext } from '../context.ts';
import { CLOSE_CODES, Connection } from '../connection/connection.ts';
import type { Live } from '../live/index.ts';
import type { Admitted } from './admission.ts';
import type { InFlight } from './in-flight.ts';
import { endFailed, receive } from './receive.ts';
import type { TypingRelay } from './typing.ts';

/** What all sockets of this gateway share. */
export type SocketServer = {
  readonly ctx: GatewayContext;
  readonly live: Live;
  readonly typingRelay: TypingRelay;
  readonly inFlight: InFlight;
  /** True once the process takes no more requests. */
  stopping: boolean;
};

/** Serves a socket after its handshake, until it closes. */
export function openSocket(
  server: SocketServer,
  webSocket: WebSocket,
  stream: Duplex,
  { caller, leave }: Admitted,
): void {
  const { ctx, live, typingRelay, inFlight } = server;
  const { now } = ctx.clock;
  const connection = new Connection({ webSocket, stream, caller, now });
  const receiver = { ctx, live, typingRelay, connection, inFlight };
  function failed(error: unknown): void {
    endFailed(receiver, error);
  }
  function noteReceived(): void {
    connection.lastReceivedAt = now();
  }
  webSocket.on('pong', noteReceived);
  webSocket.on('ping', noteReceived);
  webSocket.on('message', (data, isBinary) => {
    noteReceived();
    if (!server.stopping) receive(receiver, data, isBinary);
  });
  webSocket.on('error', (error) => ctx.log.debug({ error }, 'socket error'));
  webSocket.on('close', () => {
    connection.markClosed();
    contain(() => typingRelay.left(connection), failed);
    contain(() => live.leave(connection), failed);
    contain(leave, failed);
  });
  contain(() => join(server, connection), failed);
}

function join({ ctx, live, stopping }: SocketServer, connection: Connection): void {
  live.join(connection);
  // The session may have ended since it was looked up.
  if (ctx.auth.hasEnded(connection.caller)) connection.close(CLOSE_CODES.sessionEnded, 'session ended');
  if (stopping) connection.close(CLOSE_CODES.goingAway, 'restarting, reconnect');
}
