import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** How long a migration waits for a lock, how often it is tried, and how long it pauses before the second attempt; later ones pause longer. */
export type LockWait = { timeoutMs: number; attempts: number; pauseMs: number };

/**
 * A statement that waits for a lock has every later statement on its table wait behind it, reads and sends too. 2 s are shorter than
 * clients wait, and longer than the second (`deadlock_timeout`) after which Postgres ends an autovacuum that is in the way. The attempts
 * take two minutes.
 */
export const FOR_A_LOCK: LockWait = { timeoutMs: 2_000, attempts: 15, pauseMs: 1_000 };

const LOCK_NOT_AVAILABLE = '55P03';
const LONGEST_PAUSE_MS = 10_000;

/** Runs a transaction again while it does not get a lock in time, with pauses in which the statements behind it run. */
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
