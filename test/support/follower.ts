import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from './json.ts';
import { connectSocket, type Packet, type TestSocket } from './socket.ts';
import { createTold, type Told } from './told.ts';

/** A client that reconnects whenever its socket ends, and then replays the events that it missed. */
export type Follower = {
  /** `create Message` packets: id of the message → its position. */
  readonly created: ReadonlyMap<string, number>;
  /** Ids of the `create Announcement` packets. */
  readonly announced: ReadonlySet<string>;
  /** State that the follower was told last. */
  readonly told: Told;
  /** How often it connected and replayed completely. */
  readonly replays: number;
  /** Broken promises: a packet out of order, an incomplete replay, an unexpected answer. */
  readonly faults: readonly string[];
  /** Sends a request on the present socket; fails when it ends or there is none. */
  request(method: string, fields: { object_id?: string; data?: unknown }): Promise<Json>;
  stop(): Promise<void>;
};

const RETRY_MS = 25;

type State = {
  readonly baseUrl: string;
  readonly token: string;
  readonly created: Map<string, number>;
  readonly announced: Set<string>;
  readonly told: ReturnType<typeof createTold>;
  /** How many packets of the present socket are taken. */
  taken: number;
  readonly faults: string[];
  socket: TestSocket | undefined;
  replays: number;
  stopped: boolean;
  readonly overlapMs: number;
  /** Time at which the next replay begins; at first now, since server and client share a clock. */
  syncedTo: string;
};

/** `overlapMs`: how much earlier than its last packet a replay begins; default 0, for tests whose faults lose nothing for longer. */
export function follow(baseUrl: string, token: string, overlapMs = 0): Follower {
  const state: State = {
    baseUrl,
    token,
    overlapMs,
    created: new Map(),
    announced: new Set(),
    told: createTold(),
    taken: 0,
    faults: [],
    socket: undefined,
    replays: 0,
    stopped: false,
    syncedTo: new Date().toISOString(),
  };
  const running = serveUntilStopped(state);
  return {
    get created() {
      return collect(state).created;
    },
    get announced() {
      return collect(state).announced;
    },
    get told() {
      return collect(state).told;
    },
    get replays() {
      return state.replays;
    },
    faults: state.faults,
    request: (method, fields) =>
      state.socket ? state.socket.request(method, fields) : Promise.reject(new Error('not connected')),
    stop: async () => {
      state.stopped = true;
      await state.socket?.close();
      await running;
    },
  };
}

async function serveUntilStopped(state: State): Promise<void> {
  while (!state.stopped) await serve(state).catch(() => delay(RETRY_MS));
}

/** Serves one socket, from its opening to its end. */
async function serve(state: State): Promise<void> {
  const { faults } = state;
  const on = await connectSocket(state.baseUrl, state.token);
  const isSynced = await replay(state, on);
  const replayed = on.packets.length;
  if (isSynced) state.replays += 1;
  state.socket = on;
  await on.untilClosed(Infinity);
  take(state, on.packets);
  state.socket = undefined;
  state.taken = 0;
  if (!isSynced) return;
  const last = on.packets.findLast(({ type }) => type === 'change' || type === 'operation');
  state.syncedTo = last?.timestamp ?? state.syncedTo;
  faults.push(...listDisorder(on.packets, replayed));
}

/** False when the socket ended before the replay succeeded. */
async function replay({ syncedTo, overlapMs, faults }: State, on: TestSocket): Promise<boolean> {
  while (!on.closed) {
    const from_timestamp = new Date(Date.parse(syncedTo) - overlapMs).toISOString();
    const answer = await on.request('Event.replay', { data: { from_timestamp } }).catch(() => {});
    if (answer?.success) {
      if (answer.data.complete !== true) faults.push('a replay was not complete');
      return true;
    }
    // An earlier replay that was not answered in time may still be under way on this socket.
    const isLimited = answer?.data.id === 'rate_limit_exceeded';
    if (answer && !isLimited && answer.data.id !== 'service_unavailable')
      faults.push(`replay: ${JSON.stringify(answer)}`);
    await delay(isLimited ? answer.data.data.retry_after_seconds * 1_000 : RETRY_MS);
  }
  return false;
}

/** Takes note of what the present socket has received. */
function collect(state: State): State {
  if (state.socket) take(state, state.socket.packets);
  return state;
}

/** Each packet once, in their order. */
function take(state: State, packets: readonly Packet[]): void {
  const { announced, created, told } = state;
  for (const packet of packets.slice(state.taken)) {
    const { type, body } = packet;
    told.take(packet);
    if (type !== 'change' || body.operation !== 'create') continue;
    if (body.object.type === 'Announcement') announced.add(body.object.id);
    if (body.object.type === 'Message') created.set(body.object.id, body.data.position);
  }
  state.taken = packets.length;
}

/**
 * Live packets come in the order of positions. A repair may repeat a message that this socket has, from before `from`, when
 * it replayed, or from later: what counts is the order in which messages come for the first time.
 */
function listDisorder(packets: readonly Packet[], from: number): string[] {
  const faults: string[] = [];
  const last = new Map<string, number>();
  const seen = new Set<string>();
  for (const [index, { type, body }] of packets.entries()) {
    if (type !== 'change' || body.operation !== 'create' || body.object.type !== 'Message') continue;
    const isRepeated = seen.has(body.object.id);
    seen.add(body.object.id);
    if (index < from || isRepeated) continue;
    const { conversation, position } = body.data;
    const before = last.get(conversation.id) ?? 0;
    if (position <= before) faults.push(`position ${position} after ${before}`);
    last.set(conversation.id, position);
  }
  return faults;
}
