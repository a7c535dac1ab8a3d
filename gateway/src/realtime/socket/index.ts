import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { START_ANEW } from '@parley/contract/socket/close-codes';
import { CLOSE_CODES } from '../connection/connection.ts';
import { startKeepAlive } from '../connection/keep-alive.ts';
import type { RealtimeContext, Uses } from '../context.ts';
import type { Live } from '../live/index.ts';
import { admit, unauthenticated } from './admission.ts';
import { createHelloSender } from './hello-sender.ts';
import { createDroppedReports } from './dropped.ts';
import { createInFlight } from './in-flight.ts';
import { openSocket, type SocketServer } from './open.ts';
import { startSocketSamples } from './sample-sockets.ts';
import { createTypingRelay } from './typing.ts';
import { createRefusals, type Refusal, type Refusals, type Upgrade } from './refusal.ts';
import { createWebSocketServer, type PacketServer } from './web-socket-server.ts';

/** Time that socket requests have to be answered when the process stops: slightly more than their deadline. Milliseconds. */
const ANSWER_WITHIN_MS = 6_000;

/** A service, or this process, is not available. */
const UNAVAILABLE: Refusal = {
  status: 503,
  error: 'service_unavailable',
  headers: { 'retry-after': '1' },
};

export type Sockets = { stop(): Promise<void> };

/** Serves WebSocket on the gateway's HTTP server. docs/protocol/websocket.md */
export function mountSockets(server: Server, ctx: RealtimeContext, live: Live): Sockets {
  const webSockets = createWebSocketServer(ctx);
  const refusals = createRefusals(ctx);
  const helloSender = createHelloSender(ctx);
  const dropped = createDroppedReports(ctx);
  const typingRelay = createTypingRelay(ctx, dropped);
  const keepAlive = startKeepAlive(live.hub, ctx.clock.now);
  const inFlight = createInFlight();
  const sockets: SocketServer = { ctx, live, typingRelay, helloSender, dropped, inFlight, stopping: false };
  const onUpgrade = createUpgradeListener(sockets, webSockets, refusals);
  server.on('upgrade', onUpgrade);
  countSockets(ctx, live);
  const stopListening = closeRevoked(ctx, live);
  const stopEpochs = closeOfLostEpoch(ctx, live);
  const stopSamples = startSocketSamples(ctx, live.hub);
  return {
    // Requests that have arrived are answered before their socket closes; later ones go to the next gateway.
    async stop() {
      sockets.stopping = true;
      server.off('upgrade', onUpgrade);
      server.on('upgrade', (request, stream, head) => {
        stream.on('error', (error) => ctx.log.debug({ error }, 'connection failed during upgrade'));
        refusals.refuse({ request, stream, head, began: performance.now() }, UNAVAILABLE);
      });
      await sockets.inFlight.untilAnswered(ANSWER_WITHIN_MS);
      stopListening();
      stopEpochs();
      stopSamples();
      keepAlive.stop();
      typingRelay.stop();
      for (const connection of live.hub.all())
        connection.close(CLOSE_CODES.goingAway, 'restarting, reconnect');
      await helloSender.stop();
      await new Promise((resolve) => setImmediate(resolve));
      webSockets.close();
      refusals.stop();
    },
  };
}

type UpgradeListener = (request: IncomingMessage, stream: Duplex, head: Buffer) => void;

function createUpgradeListener(
  sockets: SocketServer,
  webSockets: PacketServer,
  refusals: Refusals,
): UpgradeListener {
  const { ctx, live, helloSender } = sockets;

  async function upgrade(asked: Upgrade): Promise<void> {
    const { request, stream, head } = asked;
    const admission = await admit(ctx, request);
    if ('status' in admission) return refusals.refuse(asked, admission);
    const { caller, isExtended } = admission;
    const { userId } = caller;
    let isOpen = false;
    try {
      const [sendHello] = await Promise.all([
        isExtended ? helloSender.helloFor(caller) : undefined,
        live.listen(userId),
      ]);
      if (stream.destroyed) return;
      if (isExtended && !sendHello) return refusals.refuse(asked, unauthenticated(ctx.wire));
      // Calls back synchronously, or refuses a malformed handshake without calling back.
      webSockets.handleUpgrade(request, stream, head, (webSocket) => {
        isOpen = true;
        openSocket(sockets, { webSocket, stream, sendHello, ...admission });
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
    const asked = { request, stream, head, began: performance.now() };
    upgrade(asked).catch((error: unknown) => {
      ctx.log.warn({ error }, 'failed to upgrade to a socket; answering 503');
      refusals.refuse(asked, UNAVAILABLE);
    });
  };
}

function countSockets({ metrics }: Uses<'metrics'>, { hub }: Live): void {
  metrics.gauge({
    name: 'gateway_sockets',
    help: 'Sockets that are open now.',
    collect() {
      this.set(hub.size);
    },
  });
}

/** Closes all sockets when a database has lost changes that they may have got: their clients start anew. The result stops this. */
function closeOfLostEpoch({ epochs, log }: Uses<'epochs' | 'log'>, { hub }: Live): () => void {
  return epochs.onChange(() => {
    if (hub.size > 0) log.error({ sockets: hub.size }, 'a database is not what it was; closing all sockets');
    for (const connection of hub.all()) connection.close(CLOSE_CODES.goingAway, START_ANEW);
  });
}

/** Closes the sockets of ended sessions, and all sockets when identity is silent for too long. The result stops this. */
function closeRevoked({ auth, log }: Uses<'auth' | 'log'>, { hub }: Live): () => void {
  const stopRevoked = auth.onRevoked((isRevoked) => {
    for (const connection of hub.all()) {
      if (isRevoked(connection.caller)) connection.close(CLOSE_CODES.sessionEnded, 'session ended');
    }
  });
  const stopBlind = auth.onBlind(() => {
    if (hub.size > 0)
      log.error({ sockets: hub.size }, 'nothing is known of ended sessions; closing all sockets');
    for (const connection of hub.all()) connection.close(CLOSE_CODES.goingAway, 'sessions cannot be checked');
  });
  return () => (stopRevoked(), stopBlind());
}
