import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { contain } from '@parley/kit/contain';
import type { GatewayContext } from '../context.ts';
import { createCors } from '../http/cors.ts';
import type { Live } from '../live/index.ts';
import { admit, type Admitted } from './admission.ts';
import { CLOSE_CODES, Connection } from '../connection/connection.ts';
import { createInFlight } from './in-flight.ts';
import { startKeepAlive } from '../connection/keep-alive.ts';
import { endFailed, receive } from './receive.ts';
import { createTypingRelay } from './typing.ts';
import { createRefuseUpgrade } from './upgrade.ts';

const MAX_PACKET_BYTES = 1024 * 1024;
/** How long requests of sockets may take to be answered when the process stops: a little more than their deadline. */
const ANSWER_WITHIN_MS = 6_000;

/** Headers of a refusal because a service or this process is away. */
const UNAVAILABLE = { 'retry-after': '1' };

export type Sockets = { stop(): Promise<void> };

/** Serves WebSocket on the gateway's HTTP server. SPEC completions 6. */
export function mountSockets(server: Server, ctx: GatewayContext, live: Live): Sockets {
  const protocol = ctx.wire.subprotocol;
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PACKET_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
    skipUTF8Validation: false,
    handleProtocols: () => protocol,
  });
  const refuseUpgrade = createRefuseUpgrade(createCors(ctx.wire, ctx.config.allowedOrigins));
  const typingRelay = createTypingRelay(ctx);
  const keepAlive = startKeepAlive(live.hub, ctx.clock.now);
  const now = ctx.clock.now;
  const inFlight = createInFlight();
  let stopping = false;
  ctx.metrics.gauge({
    name: 'gateway_sockets',
    help: 'Sockets that are open now.',
    collect() {
      this.set(live.hub.size);
    },
  });

  function open(webSocket: WebSocket, stream: Duplex, { caller, leave }: Admitted): void {
    const connection = new Connection({ webSocket, stream, caller, now });
    function failed(error: unknown): void {
      endFailed({ ctx, connection }, error);
    }
    function heard(): void {
      connection.lastReceivedAt = now();
    }
    webSocket.on('pong', heard);
    webSocket.on('ping', heard);
    webSocket.on('message', (data, isBinary) => {
      heard();
      if (!stopping) receive({ ctx, live, typingRelay, connection, inFlight }, data, isBinary);
    });
    webSocket.on('error', (error) => ctx.log.debug({ err: error }, 'socket error'));
    webSocket.on('close', () => {
      connection.markClosed();
      contain(() => typingRelay.left(connection), failed);
      contain(() => live.leave(connection), failed);
      contain(leave, failed);
    });
    contain(() => {
      live.join(connection);
      // It may have ended between its look-up and its joining.
      if (ctx.auth.hasEnded(caller)) connection.close(CLOSE_CODES.sessionEnded, 'session ended');
      if (stopping) connection.close(CLOSE_CODES.goingAway, 'restarting, reconnect');
    }, failed);
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const admission = await admit(ctx, request);
    if ('status' in admission) return refuseUpgrade(request, stream, admission);
    const { userId } = admission.caller;
    let isOpen = false;
    try {
      await live.listen(userId);
      if (stream.destroyed) return;
      // Calls back at once, or refuses what is no handshake and does not.
      webSockets.handleUpgrade(request, stream, head, (webSocket) => {
        isOpen = true;
        open(webSocket, stream, admission);
      });
    } finally {
      if (!isOpen) {
        live.unlisten(userId);
        admission.leave();
      }
    }
  }

  function onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', (error) => ctx.log.debug({ err: error }, 'upgrade failed'));
    upgrade(request, stream, head).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'upgrade failed');
      refuseUpgrade(request, stream, { status: 503, headers: UNAVAILABLE });
    });
  }
  server.on('upgrade', onUpgrade);

  const forgetRevoked = ctx.auth.onRevoked((isRevoked) => {
    for (const connection of live.hub.all()) {
      if (isRevoked(connection.caller)) connection.close(CLOSE_CODES.sessionEnded, 'session ended');
    }
  });

  return {
    // What a socket asked for is answered before it is closed; what it asks for now it asks the next gateway again.
    async stop() {
      stopping = true;
      server.off('upgrade', onUpgrade);
      server.on('upgrade', (request, stream) =>
        refuseUpgrade(request, stream, { status: 503, headers: UNAVAILABLE }),
      );
      await inFlight.untilAnswered(ANSWER_WITHIN_MS);
      forgetRevoked();
      keepAlive.stop();
      typingRelay.stop();
      for (const connection of live.hub.all())
        connection.close(CLOSE_CODES.goingAway, 'restarting, reconnect');
      await new Promise((resolve) => setImmediate(resolve));
      webSockets.close();
    },
  };
}
