import { every } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { foldCounts } from './conversation-counts.ts';
import { createErasures } from './erase-users.ts';
import { sweepExportCuts } from './export-cuts.ts';
import { forgetOperations } from './operations.ts';
import { maintainPartitions } from './partitions.ts';

const MINUTE_MS = 60_000;

/** Everything that happens because time passed; each job runs in one of the replicas. The log has its partition then. */
export async function startTimers(ctx: Context, stopper: Stopper): Promise<void> {
  await maintainPartitions(ctx);
  start(ctx, stopper, { name: 'change-partitions', intervalMs: 10 * MINUTE_MS, run: maintainPartitions });
  start(ctx, stopper, { name: 'conversation-counts', intervalMs: MINUTE_MS, run: foldCounts });
  start(ctx, stopper, { name: 'operations', intervalMs: 10 * MINUTE_MS, run: forgetOperations });
  const erasures = createErasures(ctx);
  const run = (_ctx: Context, signal: AbortSignal) => erasures.run(signal);
  start(ctx, stopper, { name: 'erasures', intervalMs: 1_000, run });
  start(ctx, stopper, { name: 'export-cuts', intervalMs: 60 * MINUTE_MS, run: sweepExportCuts });
}

type Timer = {
  name: string;
  intervalMs: number;
  run: (ctx: Context, signal: AbortSignal) => Promise<void>;
};

function start(ctx: Context, stopper: Stopper, { name, intervalMs, run }: Timer): void {
  const { db, log, clock } = ctx;
  const job = every({ db, log, clock, name, intervalMs, run: (_db, signal) => run(ctx, signal) });
  stopper.add(name, () => job.stop());
}
