import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform, type Readable, type Writable } from 'node:stream';

/** Direction of bytes on a connection; `toServer` are those that the client sends. */
export type Direction = 'both' | 'toServer' | 'toClient';

/** Stands between a process and a server that it needs, and makes the server unreachable on demand. */
export type TcpProxy = {
  /** The server's address with the proxy's host and port. */
  url: string;
  /** Ends all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /**
   * Bytes sent on the present connections vanish, and so does the end of a connection; they stay open until TCP would notice, and
   * new ones work. Default: in both directions. In one only, each side has another opinion of the connection.
   */
  swallow(direction?: Direction): void;
  /** Nothing more is read from the present connections, so that sent bytes fill the buffers. New ones work. */
  stall(): void;
  /** Delays all bytes, in both directions, by this many milliseconds; 0 ends the delay. */
  delay(ms: number): void;
  stop(): Promise<void>;
};

/** A connection of a client, and the one to the server that was opened for it. */
export type Ends = {
  fromClient: Readable;
  toServer: Writable;
  fromServer: Readable;
  toClient: Writable;
  /** Ends the client's connection as a server that is gone does. What was sent to the server before arrives. */
  reset(): void;
};

/** How a proxy reaches its server, and passes bytes on. */
export type Route = {
  /** The server; undefined: connections are refused. */
  server(): URL | undefined;
  /** Passes bytes on, in both directions. */
  connect(ends: Ends): void;
};

/** Time after which the keepalives of TCP would end a silent connection, as Postgres is told to set them. */
const NOTICED_AFTER_MS = 25_000;

/** A proxy of one server. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const upstream = new URL(serverUrl);
  const route = {
    server: () => upstream,
    connect: ({ fromClient, toServer, fromServer, toClient }: Ends) => {
      fromClient.pipe(toServer);
      fromServer.pipe(toClient);
    },
  };
  const { port, ...proxy } = await openProxy(route);
  return { url: addressOf(serverUrl, port), ...proxy };
}

/** The server's address with the proxy's host and port. */
export function addressOf(serverUrl: string, port: number): string {
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}

type Link = { client: Socket; server: Socket };

/** Opens the part that all proxies share. */
export async function openProxy(route: Route): Promise<Omit<TcpProxy, 'url'> & { port: number }> {
  const links = new Set<Link>();
  const swallowed = new Set<Link>();
  let isCut = false;
  let delayMs = 0;

  const listener = createServer((client) => {
    const upstream = isCut ? undefined : route.server();
    if (!upstream) return void client.destroy();
    const link = { client, server: connect(Number(upstream.port), upstream.hostname) };
    links.add(link);
    const forget = () => links.delete(link);
    route.connect(endsOf(link, { delayMs: () => delayMs, forget }));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  function end(link: Link): void {
    swallowed.delete(link);
    for (const socket of [link.client, link.server]) socket.destroy();
  }

  function endAll(): void {
    for (const link of [...links, ...swallowed]) end(link);
  }

  return {
    port: (listener.address() as AddressInfo).port,
    cut() {
      isCut = true;
      endAll();
    },
    restore: () => void (isCut = false),
    swallow(direction = 'both') {
      for (const link of links) {
        if (direction !== 'toClient') silence(link.client);
        if (direction !== 'toServer') silence(link.server);
        links.delete(link);
        swallowed.add(link);
        setTimeout(() => end(link), NOTICED_AFTER_MS).unref();
      }
    },
    stall: () =>
      links.forEach(({ client, server }) => [client, server].forEach((one) => isolate(one).pause())),
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

/** Joins two sockets, each of which ends with the other; `forget` is called when they do, or when nobody joins them any more. */
function endsOf(
  { client, server }: Link,
  { delayMs, forget }: { delayMs: () => number; forget: () => void },
): Ends {
  const endTogether = (socket: Socket, other: Socket): void => {
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      forget();
      other.destroy();
    });
  };
  endTogether(client, server);
  endTogether(server, client);
  const toServer = delayed(delayMs);
  const toClient = delayed(delayMs);
  toServer.pipe(server);
  toClient.pipe(client);
  const reset = () => {
    silence(client);
    client.resetAndDestroy();
    toServer.end();
    forget();
  };
  return { fromClient: client, toServer, fromServer: server, toClient, reset };
}

/** Discards everything that the socket receives from now on, its end included. */
function silence(socket: Socket): void {
  socket.unpipe();
  for (const event of ['data', 'end', 'close', 'error']) socket.removeAllListeners(event);
  socket.on('error', () => undefined).resume();
}

/** Separates a socket from the other end, which does not notice. */
function isolate(socket: Socket): Socket {
  return socket
    .unpipe()
    .removeAllListeners()
    .on('error', () => undefined);
}
