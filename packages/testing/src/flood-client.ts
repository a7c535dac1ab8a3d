// Floods servers, as its parent asks it to: sends a request again and again over one connection, and says how many answers of which
// status came. It is a process of its own, so that its work does not count as the server's.
import { connect } from 'node:net';

export type FloodOrder = {
  port: number;
  request: string;
  /** Requests in that text. */
  size: number;
  /** A multiple of `size`. */
  requests: number;
  /** How many are sent without waiting for answers; 1: each has a connection of its own. */
  atOnce: number;
};

/** How often each status was answered. */
export type FloodStatuses = Record<string, number>;

const BEGINNING = /HTTP\/1\.1 (\d{3})/g;
/** The beginning of an answer may be cut by the end of what was read. */
const LONGEST_BEGINNING = 'HTTP/1.1 200'.length;

type State = FloodOrder & { statuses: FloodStatuses; answered: number };

/** Resolves with the number of answers, when the connection has ended. */
function overOneConnection(state: State): Promise<void> {
  const { port, request, size, requests, atOnce } = state;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  const before = state.answered;
  let sent = 0;
  let tail = '';
  function ask(): void {
    const more = Math.min(atOnce - (sent - state.answered + before), requests - before - sent);
    const texts = Math.floor(more / size);
    sent += texts * size;
    if (texts > 0) socket.write(request.repeat(texts));
  }
  socket.on('connect', ask);
  socket.on('data', (chunk) => {
    tail = count(state, tail + String(chunk));
    if (state.answered >= requests || (atOnce === 1 && state.answered > before)) socket.destroy();
    else if (sent - state.answered + before <= atOnce / 2) ask();
  });
  socket.on('error', reject);
  socket.on('close', () => resolve());
  return promise;
}

/** Counts the answers in a text; the result is the end of it that may begin another one. */
function count(state: State, text: string): string {
  let end = 0;
  for (const { 1: status = '', index } of text.matchAll(BEGINNING)) {
    state.statuses[status] = (state.statuses[status] ?? 0) + 1;
    state.answered += 1;
    end = index + LONGEST_BEGINNING;
  }
  return text.slice(Math.max(end, text.length - LONGEST_BEGINNING + 1));
}

async function flood(order: FloodOrder): Promise<void> {
  const state: State = { ...order, statuses: {}, answered: 0 };
  // A server may reset a connection that it has answered on and closed.
  while (state.answered < order.requests) await overOneConnection(state).catch(() => undefined);
  process.send?.(state.statuses);
}

process.on('message', (order) => void flood(order as FloodOrder));
