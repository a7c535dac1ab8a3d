import net from 'node:net';
import type { Socket } from 'node:net';
import tls from 'node:tls';

/** Properties of the driver that its types leave out. */
export type Wire = {
  processID: number;
  secretKey: number;
  host: string;
  port: number;
  connection: { stream: Socket };
  ssl: boolean | tls.ConnectionOptions | undefined;
};

const CANCEL_REQUEST = 80877102;
const TLS_REQUEST = 80877103;

/** Asks the server, on a separate connection, to cancel the statement that runs on a connection. */
export function requestCancel(wire: Wire): void {
  const { host, port, processID, secretKey } = wire;
  const packet = Buffer.alloc(16);
  packet.writeInt32BE(16, 0);
  packet.writeInt32BE(CANCEL_REQUEST, 4);
  packet.writeInt32BE(processID, 8);
  packet.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
  socket.on('error', () => socket.destroy());
  if (wire.ssl) sendByTls(socket, wire, packet);
  else socket.end(packet);
}

/** The cancel key of a connection is as secret as its traffic. */
function sendByTls(socket: Socket, { ssl, host }: Wire, packet: Buffer): void {
  const request = Buffer.alloc(8);
  request.writeInt32BE(8, 0);
  request.writeInt32BE(TLS_REQUEST, 4);
  socket.write(request);
  socket.once('data', (answer) => {
    if (String(answer) !== 'S') return void socket.destroy();
    const options = typeof ssl === 'object' ? ssl : {};
    const secured = tls.connect({ ...options, socket, ...(net.isIP(host) === 0 && { servername: host }) });
    secured.on('error', () => secured.destroy());
    secured.once('secureConnect', () => secured.end(packet));
  });
}
