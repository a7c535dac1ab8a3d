import { createRoom, send, type Room } from './actions.ts';
import { countCacheAttempts, type CacheAttempts } from './cache-attempts.ts';
import { startMessaging, type TestMessaging } from './service.ts';
import { createTestClock } from '@parley/kit/runtime/clock';

/** Two replicas with one database: what the first one caches, the second one changes. */
export type Replicas = { first: TestMessaging; second: TestMessaging; stop(): Promise<void> };

export async function startReplicas({ isDirect = false } = {}): Promise<Replicas> {
  // The clock is stopped, so that `changed_at` does not reveal changes.
  const clock = createTestClock(Date.now());
  const first = await startMessaging({ clock, isDirect });
  const second = await startMessaging({ clock, env: { PARLEY_DATABASE_URL: first.ctx.config.databaseUrl } });
  return {
    first,
    second,
    async stop() {
      await second.stop();
      await first.stop();
    },
  };
}

/** A conversation that a replica has cached with the senders `ann` and `bob`. */
export async function createCachedRoom(replica: TestMessaging): Promise<Room> {
  const room = await createRoom(replica, ['ann', 'bob', 'cat']);
  await send(replica, room, 'ann');
  await send(replica, room, 'bob');
  // Ends a pause that earlier tests caused.
  replica.ctx.conversationCache.noteAttempt(true);
  return room;
}

/** Runs `work`, and returns the outcomes of a replica's attempts to store from its cache. */
export async function countAttempts(
  replica: TestMessaging,
  work: () => Promise<unknown>,
): Promise<CacheAttempts> {
  const before = await countCacheAttempts(replica);
  await work();
  const after = await countCacheAttempts(replica);
  return { stored: after.stored - before.stored, stale: after.stale - before.stale };
}
