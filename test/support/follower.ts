import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from './json.ts';
import { connectSocket, type Packet, type TestSocket } from './socket.ts';

/** A client that reconnects whenever its socket ends, and then replays the events that it missed. */
export type Follower = {
  /** `create Message` packets: id of the message → its position. */
  readonly created: ReadonlyMap<string, number>;
  /** Ids of the `create Announcement` packets. */
  readonly announced: ReadonlySet<string>;
  /** How often it connected and replayed completely. */
  readonly replays: number;
  /** Broken promises: a packet out of order, an incomplete replay, an unexpected answer. */
  readonly faults: readonly string[];
  /** Sends a request on the present socket; fails when it ends or there is none. */
  request(method: string, fields: { object_id?: string; data?: unknown }): Promise<Json>;
  stop(): Promise<void>;
};

const RETRY_MS = 25;
/** Where the first replay begins; server and client share a clock. */
function now() {
  return new Date().toISOString();
}

export function follow(baseUrl: string, token: string): Follower {
  const created = new Map<string, number>();
  const announced = new Set<string>();
  const faults: string[] = [];
  let socket: TestSocket | undefined;
  let replays = 0;
  let stopped = false;
  let syncedTo = now();

  const take = (packets: Packet[]): void => {
    for (const { type, body } of packets) {
      if (type !== 'change' || body.operation !== 'create') continue;
      if (body.object.type === 'Announcement') announced.add(body.object.id);
      if (body.object.type === 'Message') created.set(body.object.id, body.data.position);
    }
  };

  /** False when the socket ended before the replay succeeded. */
  const replay = async (on: TestSocket): Promise<boolean> => {
    while (!on.closed) {
      const answer = await on.request('Event.replay', { data: { from_timestamp: syncedTo } }).catch(() => {});
      if (answer?.success) {
        if (answer.data.complete !== true) faults.push('a replay was not complete');
        return true;
      }
      if (answer && answer.data.id !== 'service_unavailable')
        faults.push(`replay: ${JSON.stringify(answer)}`);
      await delay(RETRY_MS);
    }
    return false;
  };

  const serve = async (): Promise<void> => {
    const on = await connectSocket(baseUrl, token);
    const synced = await replay(on);
    const replayed = on.packets.length;
    if (synced) replays += 1;
    socket = on;
    await on.untilClosed(Infinity);
    socket = undefined;
    take(on.packets);
    if (synced) {
      syncedTo = on.packets.at(-1)?.timestamp ?? syncedTo;
      faults.push(...listDisorder(on.packets, replayed));
    }
  };

  const running = (async () => {
    while (!stopped) await serve().catch(() => delay(RETRY_MS));
  })();

  return {
    get created() {
      if (socket) take(socket.packets);
      return created;
    },
    get announced() {
      if (socket) take(socket.packets);
      return announced;
    },
    get replays() {
      return replays;
    },
    faults,
    request: (method, fields) =>
      socket ? socket.request(method, fields) : Promise.reject(new Error('not connected')),
    stop: async () => {
      stopped = true;
      await socket?.close();
      await running;
    },
  };
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
