/** The part of a connection that the liveness check uses. */
export type Pinged = {
  /** Resolves when the server has answered, rejects when the connection is lost. */
  ping(): Promise<void>;
  /** Messages received so far. */
  received(): number;
  /** Ends the connection without waiting for anything. */
  drop(): void;
};

export type LivenessOptions = {
  /** Monotonic milliseconds. */
  now(): number;
  /**
   * The server answered the ping sent at `sentAt`: it has received everything written before, and this process has received everything the
   * server sent before.
   */
  confirmed(sentAt: number): void;
  /** The connection is dead; it was dropped. */
  dead(silentMs: number): void;
};

export type ConnectionLiveness = {
  /** Pings at once. */
  connected(connection: Pinged): void;
  lost(): void;
  /** Checks the connection; to be called every TICK_MS. */
  tick(): void;
};

type Watched = { connection: Pinged; sentAt: number; waits: boolean; aliveAt: number; received: number };

export const TICK_MS = 250;
const PING_EVERY_MS = 2_000;
const SILENT_FOR_MS = 2_500;
/** How long a dead connection may go unnoticed. Milliseconds. */
export const LONGEST_SILENCE_MS = PING_EVERY_MS + SILENT_FOR_MS + TICK_MS;
/** A tick this late shows that this process was blocked; it says nothing about the connection. Milliseconds. */
const STALLED_MS = 500;

/**
 * Pings a server, and drops a connection on which nothing arrives while a ping is unanswered: nothing else reveals packets that vanish
 * without a reset. While messages arrive, or this process is blocked, the answer may take longer, since it queues behind a backlog that a
 * new connection would only enlarge. docs/decisions/events.md#proof-of-life-of-a-nats-connection
 */
export function createConnectionLiveness({ now, confirmed, dead }: LivenessOptions): ConnectionLiveness {
  let watched: Watched | undefined;
  let tickedAt = now();

  function ping(one: Watched): void {
    one.sentAt = one.aliveAt = now();
    one.received = one.connection.received();
    one.waits = true;
    const { sentAt } = one;
    const answered = (): void => {
      one.waits = false;
      if (watched === one) confirmed(sentAt);
    };
    // A lost connection reports itself.
    one.connection.ping().then(answered, () => undefined);
  }

  return {
    connected(connection) {
      watched = { connection, sentAt: 0, waits: false, aliveAt: 0, received: 0 };
      ping(watched);
    },
    lost() {
      watched = undefined;
    },
    tick() {
      const at = now();
      const hasStalled = at - tickedAt - TICK_MS > STALLED_MS;
      tickedAt = at;
      if (!watched) return;
      if (!watched.waits) {
        if (at - watched.sentAt >= PING_EVERY_MS) ping(watched);
        return;
      }
      const received = watched.connection.received();
      if (hasStalled || received !== watched.received) Object.assign(watched, { received, aliveAt: at });
      const silentMs = at - watched.aliveAt;
      if (silentMs < SILENT_FOR_MS) return;
      const { connection } = watched;
      watched = undefined;
      connection.drop();
      dead(silentMs);
    },
  };
}
