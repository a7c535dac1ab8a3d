import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Lock timeout of a migration, number of attempts, and pause before the second attempt; later pauses are longer. */
export type LockWait = { timeoutMs: number; attempts: number; pauseMs: number };

/**
 * A statement that waits for a lock makes every later statement on its table wait behind it, including reads and sends. 2 s are shorter
 * than clients wait, and longer than the second (`deadlock_timeout`) after which Postgres ends a blocking autovacuum. All attempts together
 * take two minutes.
 */
export const FOR_A_LOCK: LockWait = { timeoutMs: 2_000, attempts: 15, pauseMs: 1_000 };

const LOCK_NOT_AVAILABLE = '55P03';
const LONGEST_PAUSE_MS = 10_000;

/** Retries a transaction until it gets its locks in time, with pauses in which the statements queued behind it can run. */
export async function retryForLocks(
  run: () => Promise<void>,
  { attempts, pauseMs }: LockWait,
  willRetry: (attempt: number) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const ranOutOfTime = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!ranOutOfTime || attempt >= attempts) throw error;
      willRetry(attempt);
    }
    await delay(Math.min(LONGEST_PAUSE_MS, pauseMs * attempt));
  }
}
