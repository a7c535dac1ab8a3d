import { createConcurrency } from './concurrency.ts';

export type PoolShares = {
  /** Runs a call of an application that works with the pool. */
  run<T>(appId: string, work: () => Promise<T>): Promise<T>;
  /** The same for a call that costs as much as dozens of others: few of an application run at once. */
  runHeavy<T>(appId: string, work: () => Promise<T>): Promise<T>;
};

export type PoolSharesOptions = {
  poolSize: number;
  /** Makes the error of a call that finds its application's queue full, or has waited too long. */
  refusal: () => Error;
};

const WAIT_MS = 2_000;
const WAITING_OF_APP = 1_000;
const WAITING = 20_000;

/**
 * Divides a pool of database connections among applications: calls take three quarters of it, of one application half
 * of it, and of its heavy calls an eighth. Calls beyond that wait, and applications have their turns round-robin. The
 * last quarter is for what is called for no application: consumers, timers, batches for several applications.
 */
export function createPoolShares({ poolSize, refusal }: PoolSharesOptions): PoolShares {
  const of = (part: number): number => Math.max(1, Math.floor(poolSize * part));
  const waiting = WAITING_OF_APP;
  const all = createConcurrency({
    levels: [
      { running: of(3 / 4), waiting: WAITING },
      { running: of(1 / 2), waiting },
    ],
    ...{ waitMs: WAIT_MS, refusal },
  });
  const heavy = createConcurrency({
    levels: [{ running: of(1 / 8), waiting }],
    ...{ waitMs: WAIT_MS, refusal },
  });
  const run: PoolShares['run'] = (appId, work) => all.run(['', appId], work);
  return { run, runHeavy: (appId, work) => heavy.run([appId], () => run(appId, work)) };
}
