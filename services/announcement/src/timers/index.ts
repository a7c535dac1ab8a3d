import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { startLog } from '../events/event-log.ts';
import { eraseUsers } from './erase-users.ts';
import { createFanOut } from './fan-out.ts';

const SECOND_MS = 1_000;

export type Timers = {
  /** Wakes the fan-out of announcements in this replica. */
  fanOut(): void;
};

/** Starts everything that happens because time passed. All replicas fan out, each another slice; one of them erases. */
export function startTimers(ctx: Context, stopper: Stopper): Timers {
  const jobs = startJobs(ctx, stopper, [
    { name: 'fan-out', intervalMs: SECOND_MS, exclusive: false, rounds: createFanOut },
    { name: 'erasures', intervalMs: SECOND_MS, rounds: eraseUsers },
  ]);
  startLog(ctx, stopper);
  return { fanOut: () => jobs.wake('fan-out') };
}
