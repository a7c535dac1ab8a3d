import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startInterval } from '../../runtime/clock/index.ts';

export type RawAnswer = {
  status: number;
  /** Headers by name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** One character per byte. */
  body: string;
};

export type Asked = {
  method?: string;
  target: string;
  version?: string;
  /** Lines as they are sent; Host and Connection are added unless they are given. */
  lines?: readonly string[];
  body?: string;
};

type Place = { port: number; host: string };

/** Everything received in response to these bytes until the server closes the connection; one character per byte. */
export function sendRaw({ port }: Pick<Place, 'port'>, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  return buffer(socket).then((bytes) => bytes.toString('latin1'));
}

const PIECE_EVERY_MS = 20;

/** Sends the start of a request and then one piece after another, until the server closes the connection. */
export async function sendForEver({ port }: Pick<Place, 'port'>, head: string, piece: string) {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => (text += more));
  socket.on('error', () => undefined);
  socket.write(head, 'latin1');
  const stop = startInterval(PIECE_EVERY_MS, () => socket.write(piece, 'latin1'));
  await new Promise((resolve) => socket.once('close', resolve));
  stop();
  return { answer: parseAnswer(text), lastedMs: performance.now() - startedAt };
}

/** Sends one request exactly as given, and reads its answer. */
export async function askRaw(place: Place, asked: Asked): Promise<RawAnswer> {
  return parseAnswer(await sendRaw(place, requestText(place, asked)));
}

/** The text of a request, which is its connection's last unless a line says otherwise. */
export function requestText({ host }: Pick<Place, 'host'>, asked: Asked): string {
  const { method = 'GET', target, version = 'HTTP/1.1', lines = [], body = '' } = asked;
  const given = new Set(lines.map((line) => line.split(':', 1)[0]?.toLowerCase()));
  const all = [
    `${method} ${target} ${version}`,
    ...(given.has('host') ? [] : [`Host: ${host}`]),
    ...(given.has('connection') ? [] : ['Connection: close']),
    ...(body === '' || given.has('content-length') || given.has('transfer-encoding')
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...lines.filter((line) => line !== 'Host:'),
  ];
  return `${all.join('\r\n')}\r\n\r\n${body}`;
}

/** The last answer in a text, after any `100 Continue`. */
export function parseAnswer(given: string): RawAnswer {
  const answer = given.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: answer.slice(end + 4),
  };
}
