import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a process and a server that it needs; cut off, the server is unreachable. */
export type TcpProxy = {
  /** The server's address with the proxy's host and port. */
  url: string;
  /** Ends all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
};

export const startTcpProxy = async (serverUrl: string): Promise<TcpProxy> => {
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
    stop: async () => {
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
};
