import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform, type Writable } from 'node:stream';

/** Stands between a process and a server that it needs, and makes the server unreachable on demand. */
export type TcpProxy = {
  /** The server's address with the proxy's host and port. */
  url: string;
  /** Ends all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /**
   * Bytes sent on the present connections vanish, in both directions; they stay open until TCP would notice, and new ones
   * work.
   */
  swallow(): void;
  /** Nothing more is read from the present connections, so that sent bytes fill the buffers. New ones work. */
  stall(): void;
  /** Delays all bytes, in both directions, by this many milliseconds; 0 ends the delay. */
  delay(ms: number): void;
  stop(): Promise<void>;
};

/** How a proxy reaches its server, and passes bytes on. */
export type Route = {
  /** The server; undefined: connections are refused. */
  server(): URL | undefined;
  /** Passes the server's bytes on to the client. */
  forward(server: Socket, client: Writable): void;
};

/** After so long the keepalives of TCP would end a silent connection, as Postgres is told to set them. */
const NOTICED_AFTER_MS = 25_000;

/** A proxy of one server. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const upstream = new URL(serverUrl);
  const route = {
    server: () => upstream,
    forward: (server: Socket, client: Writable) => void server.pipe(client),
  };
  const { port, ...proxy } = await openProxy(route);
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { url: url.href, ...proxy };
}

/** What all proxies share. */
export async function openProxy(route: Route): Promise<Omit<TcpProxy, 'url'> & { port: number }> {
  const sockets = new Set<Socket>();
  const swallowed = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;

  function join(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }

  const listener = createServer((client) => {
    const upstream = isCut ? undefined : route.server();
    if (!upstream) return void client.destroy();
    const server = connect(Number(upstream.port), upstream.hostname);
    join(client, server);
    join(server, client);
    client.pipe(delayed(() => delayMs)).pipe(server);
    const toClient = delayed(() => delayMs);
    toClient.pipe(client);
    route.forward(server, toClient);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  function end(socket: Socket): void {
    swallowed.delete(socket);
    socket.destroy();
  }

  function endAll(): void {
    for (const socket of [...sockets, ...swallowed]) end(socket);
  }

  return {
    port: (listener.address() as AddressInfo).port,
    cut() {
      isCut = true;
      endAll();
    },
    restore: () => void (isCut = false),
    swallow() {
      for (const socket of sockets) {
        isolate(socket).resume();
        sockets.delete(socket);
        swallowed.add(socket);
        setTimeout(() => end(socket), NOTICED_AFTER_MS).unref();
      }
    },
    stall: () => sockets.forEach((socket) => isolate(socket).pause()),
    delay: (ms) => void (delayMs = ms),
    async stop() {
      listener.close();
      endAll();
      await once(listener, 'close');
    },
  };
}

/** Passes bytes on in their order, each piece after the delay of the moment at which it came. */
function delayed(delayMs: () => number): Transform {
  let waiting = Promise.resolve();
  let count = 0;
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const ms = delayMs();
      if (ms === 0 && count === 0) return done(null, piece);
      count += 1;
      const due = new Promise((resolve) => setTimeout(resolve, ms));
      waiting = waiting.then(async () => {
        await due;
        count -= 1;
        if (!stream.destroyed) stream.push(piece);
      });
      done();
    },
    flush: (done) => void waiting.then(() => done()),
  });
  return stream;
}

/** Separates a socket from the other end, which does not notice. */
function isolate(socket: Socket): Socket {
  return socket
    .unpipe()
    .removeAllListeners()
    .on('error', () => undefined);
}
