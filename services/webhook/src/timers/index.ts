import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import type { Deliveries } from '@parley/outbound/deliveries';
import { eraseUsers } from './erase-users.ts';
import { createExpansions } from './expand-events.ts';
import { foldCounts } from './fold-counts.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { sweepOperations } from './sweep-operations.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export type Timers = {
  /** Wakes the job that makes deliveries of new events. */
  expand(): void;
  /** Wakes the job that erases users. */
  erase(): void;
};

/** Starts the periodic jobs; each runs in one replica at a time. */
export function startTimers(ctx: Context, stopper: Stopper, deliveries: Deliveries): Timers {
  const jobs = startJobs(ctx, stopper, [
    {
      name: 'expand-events',
      intervalMs: SECOND_MS,
      rounds: (context) => createExpansions(context, deliveries),
    },
    { name: 'erasures', intervalMs: SECOND_MS, rounds: eraseUsers },
    { name: 'event-interests', intervalMs: SECOND_MS, run: ({ interests }) => interests.compare() },
    { name: 'sweep-deliveries', intervalMs: 10 * MINUTE_MS, run: sweepDeliveries },
    { name: 'sweep-operations', intervalMs: 10 * MINUTE_MS, run: sweepOperations },
    { name: 'reseal-secrets', intervalMs: 10 * MINUTE_MS, run: resealSecrets },
    { name: 'fold-counts', intervalMs: MINUTE_MS, run: foldCounts },
  ]);
  return { expand: () => jobs.wake('expand-events'), erase: () => jobs.wake('erasures') };
}
