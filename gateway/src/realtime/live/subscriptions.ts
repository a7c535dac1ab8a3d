import { shardOf } from '@parley/domain/events';
import type { Bus } from '@parley/kit/bus';

/** One handler for each kind of message; the app is taken from the message's subject. */
export type Handlers = {
  /** `trace`: the `traceparent` of the change, if it is traced. */
  event(payload: Uint8Array, appId: string, trace?: string): void;
  heads(payload: Uint8Array, appId: string): void;
  rebroadcast(payload: Uint8Array): void;
  signal(payload: Uint8Array, appId: string): void;
  presence(payload: Uint8Array, appId: string): void;
  following(payload: Uint8Array, appId: string): void;
};
type Options = { bus: Bus; shards: number; handlers: Handlers };

/** Subscribes only to the shards of users who are connected or watched here. */
export type Subscriptions = {
  /** Subscribes to all messages about a user. Once this has settled, none is missed. */
  join(userId: string): Promise<void>;
  leave(userId: string): void;
  /** Subscribes to the presence of a user, who need not be connected here. A change may arrive twice. */
  watch(userId: string): Promise<void>;
  unwatch(userId: string): void;
  stop(): void;
};

export function createSubscriptions({ bus, shards, handlers }: Options): Subscriptions {
  function receive(payload: Uint8Array, subject: string, trace?: string): void {
    const [, appId = '', , kind] = subject.split('.');
    if (kind === 'event') handlers.event(payload, appId, trace);
    else if (kind === 'heads') handlers.heads(payload, appId);
    else if (kind === 'again') handlers.rebroadcast(payload);
    else if (kind === 'signal') handlers.signal(payload, appId);
    else if (kind === 'presence') handlers.presence(payload, appId);
    else if (kind === 'following') handlers.following(payload, appId);
  }

  const everything = createShards(bus, (shard) => bus.subscribeLive(`live.*.${shard}.>`, receive));
  const presence = createShards(bus, (shard) => bus.subscribeLive(`live.*.${shard}.presence`, receive));

  return {
    join: (userId) => everything.add(shardOf(userId, shards)),
    leave: (userId) => everything.remove(shardOf(userId, shards)),
    watch: (userId) => presence.add(shardOf(userId, shards)),
    unwatch: (userId) => presence.remove(shardOf(userId, shards)),
    stop() {
      everything.stop();
      presence.stop();
    },
  };
}

/** Keeps a shard's subscription open until it has been removed as often as it was added. */
function createShards(bus: Bus, subscribe: (shard: number) => { close(): void }) {
  const counts = new Map<number, number>();
  const open = new Map<number, { close(): void; ready: Promise<void> }>();
  function flush(): Promise<void> {
    return bus.connected ? bus.flush() : Promise.resolve();
  }
  return {
    async add(shard: number): Promise<void> {
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
      const known = open.get(shard);
      // A connection lost during the first attempt must not fail later ones.
      if (known) return (known.ready = known.ready.catch(flush));
      const subscription = subscribe(shard);
      const ready = flush();
      open.set(shard, { close: () => subscription.close(), ready });
      return ready;
    },
    remove(shard: number): void {
      const left = (counts.get(shard) ?? 1) - 1;
      counts.set(shard, left);
      if (left > 0) return;
      counts.delete(shard);
      open.get(shard)?.close();
      open.delete(shard);
    },
    stop(): void {
      for (const subscription of open.values()) subscription.close();
      open.clear();
    },
  };
}
