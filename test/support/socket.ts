import { WebSocket } from 'ws';
import type { Json } from './json.ts';

export type Packet = { type: string; counter: number; timestamp: string; body: Json };

/** A client's socket that keeps all packets and fails on a gap in their counters. */
export type TestSocket = {
  packets: Packet[];
  closed: { code: number; reason: string } | undefined;
  /** The first matching packet of those received before or within the deadline. */
  waitFor(what: string, fits: (packet: Packet) => boolean, deadlineMs?: number): Promise<Packet>;
  changes(type?: string): Json[];
  request(method: string, fields?: { object_id?: string; data?: unknown }): Promise<Json>;
  signal(body: unknown): void;
  raw(data: string | Buffer): void;
  untilClosed(deadlineMs?: number): Promise<{ code: number; reason: string }>;
  close(): Promise<void>;
  pause(): void;
};

let requests = 0;

/** A change packet of this kind, about this object. */
export function isChange(operation: string, type: string, id?: string) {
  return (packet: Packet) =>
    packet.type === 'change' &&
    packet.body.operation === operation &&
    packet.body.object.type === type &&
    (!id || packet.body.object.id === id);
}

export function openSocket(
  url: string,
  protocols: string[] = ['svc-3.0'],
  headers: Record<string, string> = {},
): WebSocket {
  return new WebSocket(url, protocols, { headers, perMessageDeflate: false });
}

export async function connectSocket(baseUrl: string, token: string): Promise<TestSocket> {
  const url = `${baseUrl.replace(/^http/, 'ws')}/websocket?session_token=${encodeURIComponent(token)}`;
  const socket = openSocket(url);
  const packets: Packet[] = [];
  const watchers = new Set<() => void>();
  let failure: Error | undefined;
  const state: TestSocket = {
    packets,
    closed: undefined,
    waitFor(what, fits, deadlineMs = 10_000) {
      const { promise, resolve, reject } = Promise.withResolvers<Packet>();
      function finish(result: Packet | Error): void {
        clearTimeout(timer);
        watchers.delete(look);
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
      function look(): void {
        const found = packets.find(fits);
        if (failure) finish(failure);
        else if (found) finish(found);
        else if (state.closed) finish(new Error(`closed with ${state.closed.code} while waiting: ${what}`));
      }
      const late = () => finish(lateError(what, deadlineMs, packets));
      const timer = setTimeout(late, deadlineMs);
      watchers.add(look);
      look();
      return promise;
    },
    changes: (type) =>
      packets.filter((p) => p.type === 'change' && (!type || p.body.object.type === type)).map((p) => p.body),
    request: async (method, fields = {}) => {
      const request_id = `r${++requests}`;
      socket.send(JSON.stringify({ type: 'request', body: { method, request_id, ...fields } }));
      return (
        await state.waitFor(
          `response to ${method}`,
          (p) => p.type === 'response' && p.body.request_id === request_id,
        )
      ).body;
    },
    signal: (body) => socket.send(JSON.stringify({ type: 'signal', body })),
    raw: (data) => socket.send(data),
    untilClosed: async (deadlineMs = 10_000) => {
      const end = Date.now() + deadlineMs;
      while (!state.closed) {
        if (Date.now() > end) throw new Error(`not closed within ${deadlineMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return state.closed;
    },
    close: async () => {
      socket.close();
      await state.untilClosed();
    },
    pause: () => socket.pause(),
  };
  socket.on('message', (data) => {
    const packet = JSON.parse((data as Buffer).toString()) as Packet;
    if (packet.counter !== packets.length)
      failure = new Error(`counter ${packet.counter} where ${packets.length} was due`);
    packets.push(packet);
    for (const look of [...watchers]) look();
  });
  socket.on('close', (code, reason) => {
    state.closed = { code, reason: reason.toString() };
    for (const look of [...watchers]) look();
  });
  await opened(socket);
  return state;
}

function lateError(what: string, deadlineMs: number, packets: readonly Packet[]): Error {
  return new Error(`no packet within ${deadlineMs} ms: ${what}; got ${JSON.stringify(packets.slice(-6))}`);
}

/** Resolves when the socket is open; rejects when the upgrade is refused. */
function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) =>
      reject(new Error(`upgrade refused: ${response.statusCode}`)),
    );
  });
}
