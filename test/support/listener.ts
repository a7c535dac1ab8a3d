import { connectSocket, type TestSocket } from './socket.ts';
import { until } from './until.ts';

/** A client that stays connected to any of several gateways, and replays the events that it missed. */
export type Listener = {
  /** Ids of the messages that arrived. */
  readonly messages: ReadonlySet<string>;
  /** Why its sockets were closed. */
  readonly closes: readonly number[];
  stop(): Promise<void>;
};

/** A replay begins this long before the last packet. */
const OVERLAP_MS = 5_000;

export async function startListener(addresses: readonly string[], token: string): Promise<Listener> {
  const messages = new Set<string>();
  const closes: number[] = [];
  let stopped = false;
  let turn = 0;
  let lastPacketAt = Date.now();
  let socket: TestSocket;

  const connect = (): Promise<TestSocket> =>
    until('a gateway takes the socket', () =>
      connectSocket(addresses[turn++ % addresses.length]!, token).catch(() => undefined),
    );
  const gather = (): void => {
    for (const { object, operation } of socket.changes('Message'))
      if (operation === 'create') messages.add(object.id as string);
  };
  const follow = async (): Promise<void> => {
    while (!stopped) {
      const { code } = await socket.untilClosed(600_000);
      gather();
      if (stopped) return;
      closes.push(code);
      lastPacketAt = Date.parse(socket.packets.at(-1)?.timestamp ?? new Date(lastPacketAt).toISOString());
      socket = await connect();
      const from_timestamp = new Date(lastPacketAt - OVERLAP_MS).toISOString();
      // The socket may be closed again before it is answered; then the next one asks.
      await socket.request('Event.replay', { data: { from_timestamp } }).catch(() => undefined);
    }
  };

  socket = await connect();
  const following = follow();
  return {
    get messages() {
      gather();
      return messages;
    },
    closes,
    stop: async () => {
      stopped = true;
      await socket.close();
      await following;
    },
  };
}
