import { LRUCache } from 'lru-cache';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Database } from '@parley/kit/postgres';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { addUsage, sumUsage } from '../sql/idempotency-usage.ts';
import { KEY_LIFETIME_MS } from './lifetimes.ts';

/** Bytes taken by an application's keys and answers of the last day, over all replicas. */
export type KeyUsage = {
  /** The usage of a few seconds ago at most, with this process's additions since then. */
  of(appId: string): Promise<number>;
  /** Counted in memory and stored at intervals: a killed process loses what it has not stored. */
  add(appId: string, bytes: number): void;
  stop(): Promise<void>;
};

const HOUR_MS = 3_600_000;
/** Age up to which a sum is used. */
const FRESH_MS = 5_000;
/** Time for which bytes wait in memory. */
const STORE_EVERY_MS = 1_000;
const MAX_APPS = 10_000;

type Known = { bytes: number; readAt: number };
type Options = { db: Database; clock: Clock; log: Logger };

export function createKeyUsage({ db, clock, log }: Options): KeyUsage {
  const known = new LRUCache<string, Known>({ max: MAX_APPS });
  let waiting = new Map<string, number>();
  let storedAt = clock.elapsed();
  let storing: Promise<void> = Promise.resolve();

  async function store(): Promise<void> {
    const some = waiting;
    waiting = new Map();
    storedAt = clock.elapsed();
    const now = clock.now();
    const hour = now - (now % HOUR_MS);
    for (const [appId, bytes] of some) {
      try {
        await addUsage(db, { appId, hour, bytes });
      } catch (error) {
        log.warn({ error, appId }, 'failed to count the bytes of idempotency keys; they are not counted');
      }
    }
  }

  function storeSoon(): Promise<void> {
    return (storing = storing.then(store));
  }

  return {
    async of(appId) {
      const before = known.get(appId);
      if (before && clock.elapsed() - before.readAt < FRESH_MS) return before.bytes;
      const readAt = clock.elapsed();
      const waits = waiting.get(appId) ?? 0;
      const bytes = waits + (await sumUsage(db, appId, clock.now() - KEY_LIFETIME_MS));
      known.set(appId, { bytes, readAt });
      return bytes;
    },
    add(appId, bytes) {
      waiting.set(appId, (waiting.get(appId) ?? 0) + bytes);
      const before = known.get(appId);
      if (before) before.bytes += bytes;
      if (clock.elapsed() - storedAt >= STORE_EVERY_MS) void storeSoon();
    },
    stop: storeSoon,
  };
}
