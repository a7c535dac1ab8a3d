import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a process and a server that it needs, and makes the server unreachable on demand. */
export type TcpProxy = {
  /** The server's address with the proxy's host and port. */
  url: string;
  /** Ends all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** Bytes sent on the present connections vanish, in both directions; they stay open, and new ones work. */
  swallow(): void;
  /** Nothing more is read from the present connections, so that sent bytes fill the buffers. New ones work. */
  stall(): void;
  stop(): Promise<void>;
};

/** How a proxy reaches its server, and passes bytes on. */
export type Route = {
  /** The server; undefined: connections are refused. */
  server(): URL | undefined;
  /** Passes the server's bytes on to the client. */
  forward(server: Socket, client: Socket): void;
};

/** A proxy of one server. */
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const upstream = new URL(serverUrl);
  const route = {
    server: () => upstream,
    forward: (server: Socket, client: Socket) => void server.pipe(client),
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
  let isCut = false;

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
    client.pipe(server);
    route.forward(server, client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  function endAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (listener.address() as AddressInfo).port,
    cut() {
      isCut = true;
      endAll();
    },
    restore: () => void (isCut = false),
    swallow: () => sockets.forEach((socket) => isolate(socket).resume()),
    stall: () => sockets.forEach((socket) => isolate(socket).pause()),
    async stop() {
      listener.close();
      endAll();
      await once(listener, 'close');
    },
  };
}

/** Separates a socket from the other end, which does not notice. */
function isolate(socket: Socket): Socket {
  return socket
    .unpipe()
    .removeAllListeners()
    .on('error', () => undefined);
}
