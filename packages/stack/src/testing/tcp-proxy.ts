import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a process and a server that it needs; cut off, the server is unreachable. */
export type TcpProxy = {
  /** The server's address with the proxy's host and port. */
  url: string;
  /** Ends all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** What is sent on the connections of now vanishes, in both directions; they stay open, and new ones work. */
  swallow(): void;
  /** Nothing more is read from the connections of now: what is sent fills the buffers. New ones work. */
  stall(): void;
  stop(): Promise<void>;
};

/** Neither end learns any more what becomes of the other. */
function isolate(socket: Socket): Socket {
  return socket
    .unpipe()
    .removeAllListeners()
    .on('error', () => undefined);
}

export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const upstream = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;

  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  };

  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const target = connect(Number(upstream.port), upstream.hostname);
    keep(client, target);
    keep(target, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      endAll();
    },
    restore: () => void (isCut = false),
    swallow: () => sockets.forEach((socket) => isolate(socket).resume()),
    stall: () => sockets.forEach((socket) => isolate(socket).pause()),
    stop: async () => {
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
}
