import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createArrivals, type Arrivals } from './arrivals.ts';
import {
  acknowledgement,
  AVAILABLE,
  BIND,
  ENABLE_ACKNOWLEDGEMENTS,
  entrance,
  plainAuthentication,
  registration,
  STREAM_END,
  streamStart,
} from './stanzas.ts';

export type XmppClient = {
  readonly user: string;
  send(stanza: string): void;
  /** Enters a room and resolves when the server has said so. */
  enter(room: string): Promise<void>;
  /** Called for each message with a text. */
  onMessage(listener: () => void): void;
  /** Bytes that have come. */
  bytes(): number;
  close(): void;
};

export type XmppAccess = {
  /** Port on loopback, without TLS. */
  port: number;
  /** No account has this name yet. */
  user: string;
  password: string;
  /** Whether the stream can be resumed, for which the client acknowledges what it gets when the server asks for it. */
  acknowledges: boolean;
  /** Called when the server refuses a stanza or ends the stream. */
  fail(error: Error): void;
};

/** How long the server may take for a step of a login, or to let a user into a room. */
const ANSWER_WITHIN_MS = 30_000;

type Stream = {
  readonly socket: Socket;
  readonly access: XmppAccess;
  readonly listeners: (() => void)[];
  bytes: number;
  /** Text that has arrived since the last wait began. */
  text: string;
  look: (() => void) | undefined;
  /** Counts from where acknowledgements begin. */
  arrivals: ((piece: string) => Arrivals) | undefined;
  stanzas: number;
  isClosing: boolean;
};

/** Creates an account, logs in and becomes available. Parses nothing: what is measured is the server. */
export async function connectXmpp(access: XmppAccess): Promise<XmppClient> {
  const socket = connect({ host: '127.0.0.1', port: access.port, noDelay: true });
  const stream: Stream = {
    socket,
    access,
    listeners: [],
    bytes: 0,
    text: '',
    look: undefined,
    arrivals: undefined,
    stanzas: 0,
    isClosing: false,
  };
  await once(socket, 'connect');
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => take(stream, piece));
  const gone = (error?: Error) => end(stream, error ?? new Error(`the stream of ${access.user} ended`));
  socket.on('error', gone);
  socket.on('close', () => gone());
  await logIn(stream);
  return clientOf(stream);
}

async function logIn(stream: Stream): Promise<void> {
  const { user, password, acknowledges } = stream.access;
  await ask(stream, streamStart(), '</stream:features>');
  await ask(stream, registration(user, password), "type='result'");
  await ask(stream, plainAuthentication(user, password), '<success');
  await ask(stream, streamStart(), '</stream:features>');
  await ask(stream, BIND, '</jid>');
  if (acknowledges) await ask(stream, ENABLE_ACKNOWLEDGEMENTS, '<enabled');
  stream.arrivals = createArrivals();
  // A server sends it to all resources of a user, this one too.
  await ask(stream, AVAILABLE, '<presence');
}

function clientOf(stream: Stream): XmppClient {
  const { socket, access } = stream;
  return {
    user: access.user,
    send: (stanza) => void socket.write(stanza),
    enter: (room) => ask(stream, entrance(room, access.user), "code='110'"),
    onMessage: (listener) => void stream.listeners.push(listener),
    bytes: () => stream.bytes,
    close() {
      stream.isClosing = true;
      socket.end(STREAM_END);
      socket.once('end', () => socket.destroy());
    },
  };
}

function take(stream: Stream, piece: string): void {
  stream.bytes += piece.length;
  if (stream.look) {
    stream.text += piece;
    stream.look();
  }
  if (!stream.arrivals) return;
  const { messages, stanzas, requests, errors } = stream.arrivals(piece);
  stream.stanzas += stanzas;
  if (requests > 0 && stream.socket.writable) stream.socket.write(acknowledgement(stream.stanzas));
  if (errors > 0) end(stream, new Error(`the server refused: ${piece}`));
  for (let count = 0; count < messages; count++) for (const listener of stream.listeners) listener();
}

function end(stream: Stream, error: Error): void {
  if (stream.isClosing) return;
  stream.isClosing = true;
  stream.socket.destroy();
  stream.access.fail(error);
}

/** Sends and resolves when the answer contains the text; rejects after a while with what has come instead. */
function ask(stream: Stream, request: string, answer: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { user } = stream.access;
  const finish = (error?: Error) => {
    clearTimeout(timer);
    stream.socket.off('close', refused);
    stream.look = undefined;
    if (error) reject(error);
    else resolve();
  };
  const refused = () => finish(new Error(`no ${answer} for ${user}: ${stream.text.slice(-500)}`));
  const timer = setTimeout(refused, ANSWER_WITHIN_MS);
  stream.text = '';
  stream.look = () => {
    if (stream.text.includes(answer)) finish();
  };
  stream.socket.once('close', refused);
  stream.socket.write(request);
  return promise;
}
