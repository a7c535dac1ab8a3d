import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { describedPackets, type DescribedPackets } from './contract/asyncapi.ts';
import type { Json } from './json.ts';
import { WAIT_MS } from './until.ts';

export type Packet = { type: string; counter: number; timestamp: string; body: Json };

/**
 * A client's socket that keeps all packets. It fails on a gap in their counters, and on a packet that is not as the
 * platform's own AsyncAPI document describes it.
 */
export type TestSocket = {
  readonly packets: Packet[];
  readonly closed: { code: number; reason: string } | undefined;
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

/** A replay of ten thousand messages takes its time on a busy machine. */
const RESPONSE_WITHIN_MS = 30_000;

let requests = 0;

/** A change packet of this kind, about this object. */
export function isChange(operation: string, type: string, id?: string) {
  return (packet: Packet) =>
    packet.type === 'change' &&
    packet.body.operation === operation &&
    packet.body.object.type === type &&
    (!id || packet.body.object.id === id);
}

/** Whether a step of a packet of changes fits: steps that follow each other quickly come in one packet. */
export function hasStep({ body }: Pick<Packet, 'body'>, fits: (step: Json) => boolean): boolean {
  return Array.isArray(body?.data) && body.data.some(fits);
}

export function openSocket(
  url: string,
  protocols: string[] = ['svc-3.0'],
  headers: Record<string, string> = {},
): WebSocket {
  return new WebSocket(url, protocols, { headers, perMessageDeflate: false });
}

export type Subprotocol = 'svc-3.0' | 'svc-3.1' | 'svc-4.0';

export async function connectSocket(
  baseUrl: string,
  token: string,
  subprotocol: Subprotocol = 'svc-3.0',
): Promise<TestSocket> {
  const url = `${baseUrl.replace(/^http/, 'ws')}/websocket?session_token=${encodeURIComponent(token)}`;
  const described = await describedPackets(baseUrl);
  const socket = openSocket(url, [subprotocol]);
  // AsyncAPI describes only the two lean packets whose contents differ from svc-3.1.
  const inbox = createInbox(socket, subprotocol === 'svc-4.0' ? undefined : described?.problemOf);
  await opened(socket);
  return {
    packets: inbox.packets,
    get closed() {
      return inbox.closed;
    },
    waitFor: (what, fits, deadlineMs = WAIT_MS) => waitFor(inbox, { what, fits, deadlineMs }),
    changes: (type) => changesIn(inbox.packets, type),
    request(method, fields = {}) {
      const request_id = `r${++requests}`;
      socket.send(JSON.stringify({ type: 'request', body: { method, request_id, ...fields } }));
      return waitForResponse(inbox, method, request_id);
    },
    signal: (body) => socket.send(JSON.stringify({ type: 'signal', body })),
    raw: (data) => socket.send(data),
    untilClosed: (deadlineMs = WAIT_MS) => untilClosed(inbox, deadlineMs),
    async close() {
      socket.close();
      await untilClosed(inbox, 10_000);
    },
    pause: () => socket.pause(),
  };
}

/** Packets that a socket has received so far. */
type Inbox = {
  readonly packets: Packet[];
  /** Called after each packet, and at the end. */
  readonly watchers: Set<() => void>;
  failure: Error | undefined;
  closed: TestSocket['closed'];
};

function createInbox(socket: WebSocket, problemOf: DescribedPackets['problemOf'] = () => undefined): Inbox {
  const inbox: Inbox = { packets: [], watchers: new Set(), failure: undefined, closed: undefined };
  socket.on('message', (data) => {
    const packet = JSON.parse((data as Buffer).toString()) as Packet;
    if (packet.counter !== inbox.packets.length)
      inbox.failure = new Error(`counter ${packet.counter} where ${inbox.packets.length} was due`);
    const difference = problemOf(packet);
    if (difference) inbox.failure ??= new Error(difference);
    inbox.packets.push(packet);
    for (const look of [...inbox.watchers]) look();
  });
  socket.on('close', (code, reason) => {
    inbox.closed = { code, reason: reason.toString() };
    for (const look of [...inbox.watchers]) look();
  });
  return inbox;
}

type Wait = { what: string; fits: (packet: Packet) => boolean; deadlineMs: number };

function waitFor(inbox: Inbox, { what, fits, deadlineMs }: Wait): Promise<Packet> {
  const { packets, watchers } = inbox;
  const { promise, resolve, reject } = Promise.withResolvers<Packet>();
  function finish(result: Packet | Error): void {
    clearTimeout(timer);
    watchers.delete(look);
    if (result instanceof Error) reject(result);
    else resolve(result);
  }
  function look(): void {
    const found = packets.find(fits);
    if (inbox.failure) finish(inbox.failure);
    else if (found) finish(found);
    else if (inbox.closed) finish(new Error(`closed with ${inbox.closed.code} while waiting: ${what}`));
  }
  const timer = setTimeout(() => finish(lateError(what, deadlineMs, packets)), deadlineMs);
  watchers.add(look);
  look();
  return promise;
}

async function waitForResponse(inbox: Inbox, method: string, requestId: string): Promise<Json> {
  const isResponse = ({ type, body }: Packet): boolean =>
    type === 'response' && body.request_id === requestId;
  const what = `response to ${method}`;
  return (await waitFor(inbox, { what, fits: isResponse, deadlineMs: RESPONSE_WITHIN_MS })).body;
}

async function untilClosed(inbox: Inbox, deadlineMs: number): Promise<NonNullable<TestSocket['closed']>> {
  const end = Date.now() + deadlineMs;
  while (!inbox.closed) {
    if (Date.now() > end) throw new Error(`not closed within ${deadlineMs} ms`);
    await delay(10);
  }
  return inbox.closed;
}

function changesIn(packets: readonly Packet[], objectType: string | undefined): Json[] {
  const changes = packets.filter(({ type }) => type === 'change').map(({ body }) => body);
  return objectType ? changes.filter((body) => body.object.type === objectType) : changes;
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
