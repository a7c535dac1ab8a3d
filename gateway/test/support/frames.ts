import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const OPCODES = { continuation: 0x0, text: 0x1, binary: 0x2, ping: 0x9, pong: 0xa };
const FIN = 0x80;
const MASKED = 0x80;
const LARGEST_IN_HEADER = 125;

type Frame = { opcode: keyof typeof OPCODES; payload?: string; isLast?: boolean };

/** A frame of a client, with a mask of zeros; the payload has at most 65,535 bytes. */
export function frame({ opcode, payload = '', isLast = true }: Frame): Buffer {
  const bytes = Buffer.from(payload);
  const first = OPCODES[opcode] | (isLast ? FIN : 0);
  const { length } = bytes;
  const size = length <= LARGEST_IN_HEADER ? [MASKED | length] : [MASKED | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([first, ...size, 0, 0, 0, 0]), bytes]);
}

/** The TCP connection of a socket of the original subprotocol, for frames that no client library sends. */
export async function rawSocket(baseUrl: string, token: string): Promise<Socket> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    'sec-websocket-protocol': 'svc-3.0',
  };
  const asked = request(`${baseUrl}/websocket?session_token=${token}`, { headers });
  asked.end();
  const [, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket];
  return socket;
}

/** The code of the frame with which the other side closes; undefined: the connection ended without one. */
export async function closeCodeOf(socket: Socket): Promise<number | undefined> {
  let tail = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-LARGEST_IN_HEADER);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  const at = tail.lastIndexOf(0x88);
  return at < 0 || at + 4 > tail.length ? undefined : tail.readUInt16BE(at + 2);
}
