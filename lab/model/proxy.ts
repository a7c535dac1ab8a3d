import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A bad network between one device and the platform. */
export type Proxy = {
  readonly url: string;
  /** Ends all connections. */
  cut(): void;
  /** Delays everything that the platform sends from now on. Milliseconds. */
  delay(ms: number): void;
  /** Ends connections after so many more bytes from the platform, in the middle of a packet. */
  truncateAfter(bytes: number): void;
  /** Whether new connections are refused. */
  refuse(isRefused: boolean): void;
  stop(): Promise<void>;
};

type State = { delayMs: number; budget: number; isRefused: boolean; readonly sockets: Set<Socket> };

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const state: State = { delayMs: 0, budget: Infinity, isRefused: false, sockets: new Set() };
  const server = createServer((client) => join(state, client, connect(Number(port), hostname)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of state.sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    delay: (ms) => void (state.delayMs = ms),
    truncateAfter: (bytes) => void (state.budget = bytes),
    refuse: (isRefused) => void (state.isRefused = isRefused),
    async stop() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}

function join(state: State, client: Socket, platform: Socket): void {
  const end = (): void => {
    for (const socket of [client, platform]) {
      state.sockets.delete(socket);
      socket.destroy();
    }
  };
  for (const socket of [client, platform]) {
    state.sockets.add(socket);
    socket.on('error', end);
    socket.on('close', end);
  }
  if (state.isRefused) return end();
  client.on('data', (data) => platform.write(data));
  let last: Promise<void> = Promise.resolve();
  platform.on('data', (data) => {
    const { delayMs } = state;
    const due =
      delayMs === 0 ? Promise.resolve() : new Promise<void>((resolve) => setTimeout(resolve, delayMs));
    last = Promise.all([last, due]).then(() => pass(state, client, { data, end }));
  });
}

function pass(state: State, client: Socket, { data, end }: { data: Buffer; end: () => void }): void {
  if (client.destroyed) return;
  client.write(data.subarray(0, state.budget));
  if (data.length > state.budget) {
    state.budget = Infinity;
    end();
  } else state.budget -= data.length;
}
