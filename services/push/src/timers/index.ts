import type { Stopper } from '@parley/kit/runtime/process';
import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Context } from '../context.ts';
import { eraseUsers } from './erase-users.ts';
import { resealKeys } from './reseal-keys.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export type Timers = {
  /** Wakes the job that erases users. */
  erase(): void;
};

/** Starts the periodic jobs; each runs in one replica at a time. */
export function startTimers(ctx: Context, stopper: Stopper): Timers {
  const jobs = startJobs(ctx, stopper, [
    { name: 'erasures', intervalMs: SECOND_MS, rounds: eraseUsers },
    { name: 'sweep-deliveries', intervalMs: 10 * MINUTE_MS, run: sweepDeliveries },
    { name: 'reseal-keys', intervalMs: 10 * MINUTE_MS, run: resealKeys },
  ]);
  return { erase: () => jobs.wake('erasures') };
}
