import { every, type Job } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { startLog } from '../events/event-log.ts';
import { createErasures } from './erase-users.ts';
import { createFanOut } from './fan-out.ts';

/** Time-driven work. All replicas fan out, each another slice; one of them erases. */
export function startTimers(ctx: Context, stopper: Stopper): { fanOut: Job } {
  const { db, log, clock } = ctx;
  const shared = { db, log, clock, intervalMs: 1_000 };
  const fanOut = createFanOut(ctx);
  const fanOutJob = every({
    ...{ ...shared, name: 'fan-out', exclusive: false },
    run: (_db, signal) => fanOut.run(signal),
  });
  stopper.add('fan-out', () => fanOutJob.stop());
  const erasures = createErasures(ctx);
  const erasureJob = every({ ...shared, name: 'erasures', run: (_db, signal) => erasures.run(signal) });
  stopper.add('erasures', () => erasureJob.stop());
  startLog(ctx, stopper);
  return { fanOut: fanOutJob };
}
