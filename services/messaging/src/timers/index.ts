import { every, type Job } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { foldCounts } from './conversation-counts.ts';
import { createErasureRounds } from './erase-users.ts';
import { sweepExportCuts } from './export-cuts.ts';
import { createPushRounds } from '../push/make-pushes.ts';
import { forgetOperations } from './operations.ts';
import { maintainPartitions } from './change-partitions.ts';

const MINUTE_MS = 60_000;

/** Steps of making pushes that are under way at once: each waits for identity. */
const PUSHING = 4;

export type Timers = {
  /** There are pushes to be made. */
  push(): void;
};

/** Everything that happens because time passed; each job runs in one of the replicas. The log has its partition then. */
export async function startTimers(ctx: Context, stopper: Stopper): Promise<Timers> {
  await maintainPartitions(ctx);
  start(ctx, stopper, { name: 'change-partitions', intervalMs: 10 * MINUTE_MS, run: maintainPartitions });
  start(ctx, stopper, { name: 'conversation-counts', intervalMs: MINUTE_MS, run: foldCounts });
  start(ctx, stopper, { name: 'operations', intervalMs: 10 * MINUTE_MS, run: forgetOperations });
  const erasures = createErasureRounds(ctx);
  const run = (_ctx: Context, signal: AbortSignal) => erasures.run(signal);
  start(ctx, stopper, { name: 'erasures', intervalMs: 1_000, run });
  start(ctx, stopper, { name: 'export-cuts', intervalMs: 60 * MINUTE_MS, run: sweepExportCuts });
  const pushing = Array.from({ length: PUSHING }, (_, lane) => startPushing(ctx, stopper, lane));
  return {
    push() {
      for (const job of pushing) void job.runNow();
    },
  };
}

/** In every replica: what is due is leased. */
function startPushing(ctx: Context, stopper: Stopper, lane: number): Job {
  const pushes = createPushRounds(ctx);
  const run = (_ctx: Context, signal: AbortSignal) => pushes.run(signal);
  return start(ctx, stopper, { name: `pushes-${lane}`, intervalMs: 500, exclusive: false, run });
}

type Timer = {
  name: string;
  intervalMs: number;
  exclusive?: boolean;
  run: (ctx: Context, signal: AbortSignal) => Promise<void>;
};

function start(ctx: Context, stopper: Stopper, { name, run, ...timing }: Timer): Job {
  const { db, log, clock } = ctx;
  const job = every({ db, log, clock, name, ...timing, run: (_db, signal) => run(ctx, signal) });
  stopper.add(name, () => job.stop());
  return job;
}
