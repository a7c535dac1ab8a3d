import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ANSWER_HEADERS } from './answer-headers.ts';
import type { FaultAnswer } from './fault.ts';

/** Writes an answer to a connection that has no request, and ends it. */
export function writeRawAnswer(socket: Duplex, { status, headers, body }: FaultAnswer): void {
  const all = {
    ...headers,
    ...ANSWER_HEADERS,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${headerName(name)}: ${value}\r\n`);
  // A client that leaves the connection open must not keep it alive.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** The usual spelling of a header's name, such as X-Request-Id. */
export function headerName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Writes an answer to a faulty request, whether or not its connection can continue. */
export function writeFaultAnswer(res: ServerResponse, { status, headers, body }: FaultAnswer): void {
  res.writeHead(status, { ...ANSWER_HEADERS, ...headers, 'content-length': Buffer.byteLength(body) });
  res.end(body);
}

export type Pair = { req: IncomingMessage; res: ServerResponse };

/**
 * Writes an answer after those of the connection's earlier requests, of which `last` is the latest. If the fault is in the body of the
 * latest one, the answer is for it, unless it is already being answered: then the connection is closed.
 */
export function answerAfter(socket: Duplex, last: Pair | undefined, answer: FaultAnswer): void {
  if (!socket.writable) return void socket.destroy();
  if (!last) return writeRawAnswer(socket, answer);
  const { req, res } = last;
  if (!req.complete && !res.headersSent) return writeRawAnswer(socket, answer);
  if (!req.complete && !res.writableFinished) return void socket.destroy();
  // Nothing follows an answer that ends the connection.
  if (!res.shouldKeepAlive) return;
  if (res.writableFinished) return writeRawAnswer(socket, answer);
  res.once('close', () => {
    if (socket.writable) writeRawAnswer(socket, answer);
    else socket.destroy();
  });
}
