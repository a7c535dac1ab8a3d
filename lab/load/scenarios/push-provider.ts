import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A push service for browsers that answers after 50 ms, and does nothing else that takes time. */
export type PushProvider = {
  origin: string;
  /** Pushes that arrived. */
  arrived(): number;
  /** Resolves when as many have arrived. */
  wait(count: number): Promise<void>;
  stop(): Promise<void>;
};

const ANSWER_MS = 50;

export async function startPushProvider(tls: { key: string; cert: string }): Promise<PushProvider> {
  let arrived = 0;
  let waiting: { count: number; resolve(): void } | undefined;
  const server = createServer(tls, (request, response) => {
    request.resume().on('end', () => {
      arrived += 1;
      if (waiting && arrived >= waiting.count) waiting.resolve();
      setTimeout(() => response.writeHead(201).end(), ANSWER_MS);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    arrived: () => arrived,
    wait(count) {
      if (arrived >= count) return Promise.resolve();
      return new Promise((resolve) => (waiting = { count, resolve }));
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
