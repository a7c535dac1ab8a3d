import { shardOf } from '@parley/domain/events';
import type { Bus } from '@parley/kit/bus';

type Handlers = {
  event(payload: Uint8Array): void;
  heads(payload: Uint8Array, appId: string): void;
  again(payload: Uint8Array): void;
  signal(payload: Uint8Array, appId: string): void;
  presence(payload: Uint8Array, appId: string): void;
  following(payload: Uint8Array, appId: string): void;
};
type Options = { bus: Bus; shards: number; handlers: Handlers };

/** Listens to the shards of the users that are connected here, and to no other. */
export type Subscriptions = {
  /** Before a user's socket is answered: once this has settled nothing of theirs is missed. */
  join(userId: string): Promise<void>;
  leave(userId: string): void;
  /** Hears of the presence of a user who need not be connected here; perhaps twice. */
  watch(userId: string): Promise<void>;
  unwatch(userId: string): void;
  stop(): void;
};

export function createSubscriptions({ bus, shards, handlers }: Options): Subscriptions {
  function receive(payload: Uint8Array, subject: string): void {
    const [, appId = '', , what] = subject.split('.');
    if (what === 'event') handlers.event(payload);
    else if (what === 'heads') handlers.heads(payload, appId);
    else if (what === 'again') handlers.again(payload);
    else if (what === 'signal') handlers.signal(payload, appId);
    else if (what === 'presence') handlers.presence(payload, appId);
    else if (what === 'following') handlers.following(payload, appId);
  }

  const everything = createCounted(bus, (shard) => bus.subscribeLive(`live.*.${shard}.>`, receive));
  const presence = createCounted(bus, (shard) => bus.subscribeLive(`live.*.${shard}.presence`, receive));

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

/** A subscription for each shard, open while somebody wants it. */
function createCounted(bus: Bus, subscribe: (shard: number) => { close(): void }) {
  const wanted = new Map<number, number>();
  const open = new Map<number, { close(): void; ready: Promise<void> }>();
  function flush(): Promise<void> {
    return bus.connected ? bus.flush() : Promise.resolve();
  }
  return {
    async add(shard: number): Promise<void> {
      wanted.set(shard, (wanted.get(shard) ?? 0) + 1);
      const known = open.get(shard);
      // A connection that was lost during the first attempt must not fail those who come later.
      if (known) return (known.ready = known.ready.catch(flush));
      const subscription = subscribe(shard);
      const ready = flush();
      open.set(shard, { close: () => subscription.close(), ready });
      return ready;
    },
    remove(shard: number): void {
      const left = (wanted.get(shard) ?? 1) - 1;
      wanted.set(shard, left);
      if (left > 0) return;
      wanted.delete(shard);
      open.get(shard)?.close();
      open.delete(shard);
    },
    stop(): void {
      for (const subscription of open.values()) subscription.close();
      open.clear();
    },
  };
}
