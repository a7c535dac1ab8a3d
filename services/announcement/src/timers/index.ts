import { every, type Job } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { startLog } from '../event-log.ts';
import { eraseUsers } from './erase-users.ts';
import { fanOut } from './fan-out.ts';

/** What happens because time passed. All replicas fan out, each another slice; one erases. */
export function startTimers(ctx: Context, stopper: Stopper): { fanOut: Job } {
  const { db, log, clock } = ctx;
  const shared = { db, log, clock, intervalMs: 1_000 };
  const fanOutJob = every({ ...shared, name: 'fan-out', exclusive: false, run: () => fanOut(ctx) });
  stopper.add('fan-out', () => fanOutJob.stop());
  const erasures = every({ ...shared, name: 'erasures', run: () => eraseUsers(ctx) });
  stopper.add('erasures', () => erasures.stop());
  startLog(ctx, stopper);
  return { fanOut: fanOutJob };
}
