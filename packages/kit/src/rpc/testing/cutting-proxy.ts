import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can break a connection in the middle of its traffic. */
export type CuttingProxy = {
  readonly port: number;
  /** Connections so far, in order, with the bytes carried to the server and back. */
  readonly connections: readonly { up: number; down: number }[];
  /** Breaks connection `index` after exactly `bytes` more bytes in a direction. */
  cut(index: number, direction: Direction, bytes: number): void;
  close(): Promise<void>;
};

export type Direction = 'up' | 'down';

type Connection = {
  up: number;
  down: number;
  client: Socket;
  server: Socket;
  left: Record<Direction, number>;
};

export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const connections: Connection[] = [];
  const listener = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1');
    const connection = { up: 0, down: 0, client, server, left: { up: Infinity, down: Infinity } };
    connections.push(connection);
    pass(connection, 'up');
    pass(connection, 'down');
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    connections,
    cut(index, direction, bytes) {
      const connection = connections[index];
      if (!connection) throw new Error(`there is no connection ${index}`);
      connection.left[direction] = bytes;
      if (bytes === 0) end(connection);
    },
    async close() {
      listener.close();
      connections.forEach(end);
      await once(listener, 'close');
    },
  };
}

function pass(connection: Connection, direction: Direction): void {
  const [from, to] =
    direction === 'up' ? [connection.client, connection.server] : [connection.server, connection.client];
  from.on('data', (bytes) => {
    const part = bytes.subarray(0, connection.left[direction]);
    connection[direction] += part.length;
    connection.left[direction] -= part.length;
    to.write(part);
    if (connection.left[direction] === 0) end(connection);
  });
  from.on('error', () => end(connection));
  from.on('close', () => end(connection));
}

/** Bytes already passed on still arrive. */
function end({ client, server }: Pick<Connection, 'client' | 'server'>): void {
  client.destroySoon();
  server.destroySoon();
}
