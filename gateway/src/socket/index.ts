import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { CLOSE_CODES } from '../connection/connection.ts';
import { startKeepAlive } from '../connection/keep-alive.ts';
import type { GatewayContext } from '../context.ts';
import { createCors } from '../http/cors.ts';
import type { Live } from '../live/index.ts';
import { admit } from './admission.ts';
import { createInFlight } from './in-flight.ts';
import { openSocket, type SocketServer } from './open.ts';
import { createTypingRelay } from './typing.ts';
import { createRefuseUpgrade, type RefuseUpgrade, type Refusal } from './upgrade.ts';

const MAX_PACKET_BYTES = 1024 * 1024;
/** How long requests of sockets may take to be answered when the process stops: a little more than their deadline. */
const ANSWER_WITHIN_MS = 6_000;

/** A service, or this process, is not available. */
const UNAVAILABLE: Refusal = { status: 503, headers: { 'retry-after': '1' } };

export type Sockets = { stop(): Promise<void> };

/** Serves WebSocket on the gateway's HTTP server. SPEC completions 6. */
export function mountSockets(server: Server, ctx: GatewayContext, live: Live): Sockets {
  const webSockets = createWebSocketServer(ctx.wire.subprotocol);
  const refuseUpgrade = createRefuseUpgrade(createCors(ctx.wire, ctx.config.allowedOrigins));
  const typingRelay = createTypingRelay(ctx);
  const keepAlive = startKeepAlive(live.hub, ctx.clock.now);
  const sockets: SocketServer = { ctx, live, typingRelay, inFlight: createInFlight(), stopping: false };
  const onUpgrade = createUpgradeListener(sockets, webSockets, refuseUpgrade);
  server.on('upgrade', onUpgrade);
  countSockets(ctx, live);
  const stopListening = closeRevoked(ctx, live);
  return {
    // Requests that have arrived are answered before their socket closes; later ones are for the next gateway.
    async stop() {
      sockets.stopping = true;
      server.off('upgrade', onUpgrade);
      server.on('upgrade', (request, stream) => refuseUpgrade(request, stream, UNAVAILABLE));
      await sockets.inFlight.untilAnswered(ANSWER_WITHIN_MS);
      stopListening();
      keepAlive.stop();
      typingRelay.stop();
      for (const connection of live.hub.all())
        connection.close(CLOSE_CODES.goingAway, 'restarting, reconnect');
      await new Promise((resolve) => setImmediate(resolve));
      webSockets.close();
    },
  };
}

function createWebSocketServer(subprotocol: string): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PACKET_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
    skipUTF8Validation: false,
    handleProtocols: () => subprotocol,
  });
}

type UpgradeListener = (request: IncomingMessage, stream: Duplex, head: Buffer) => void;

function createUpgradeListener(
  sockets: SocketServer,
  webSockets: WebSocketServer,
  refuseUpgrade: RefuseUpgrade,
): UpgradeListener {
  const { ctx, live } = sockets;

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const admission = await admit(ctx, request);
    if ('status' in admission) return refuseUpgrade(request, stream, admission);
    const { userId } = admission.caller;
    let isOpen = false;
    try {
      await live.listen(userId);
      if (stream.destroyed) return;
      // Calls back at once; or it refuses a malformed handshake, and does not call back.
      webSockets.handleUpgrade(request, stream, head, (webSocket) => {
        isOpen = true;
        openSocket(sockets, webSocket, stream, admission);
      });
    } finally {
      if (!isOpen) {
        live.unlisten(userId);
        admission.leave();
      }
    }
  }

  return (request, stream, head) => {
    stream.on('error', (error) => ctx.log.debug({ error }, 'connection failed during upgrade'));
    upgrade(request, stream, head).catch((error: unknown) => {
      ctx.log.warn({ error }, 'failed to upgrade to a socket; answering 503');
      refuseUpgrade(request, stream, UNAVAILABLE);
    });
  };
}

function countSockets({ metrics }: GatewayContext, { hub }: Live): void {
  metrics.gauge({
    name: 'gateway_sockets',
    help: 'Sockets that are open now.',
    collect() {
      this.set(hub.size);
    },
  });
}

/** Closes the sockets of sessions that end. The result stops that. */
function closeRevoked({ auth }: GatewayContext, { hub }: Live): () => void {
  return auth.onRevoked((isRevoked) => {
    for (const connection of hub.all()) {
      if (isRevoked(connection.caller)) connection.close(CLOSE_CODES.sessionEnded, 'session ended');
    }
  });
}
