import { every } from '@parley/kit/every';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { beginScheduled } from './begin-scheduled.ts';
import { purgeExports } from './purge-exports.ts';
import { purgeJournal } from './purge-journal.ts';
import { runExports } from './run-exports.ts';

const jobs = [
  { name: 'begin-scheduled', intervalMs: 1000, run: beginScheduled },
  { name: 'purge-exports', intervalMs: 60_000, run: purgeExports },
  { name: 'purge-journal', intervalMs: 60_000, run: purgeJournal },
];

/** Exports under way for each one that is at work: large ones take turns, so that a small one need not wait for their end. */
const RUNS_PER_TURN = 4;

/** Everything that happens because time passed: runs in every replica, the rest in one of them. */
export function startTimers(ctx: Context, stopper: Stopper): void {
  const { db, log, clock } = ctx;
  for (const { run, ...job } of jobs) {
    const { stop } = every({ ...job, db, log, clock, run: () => run(ctx) });
    stopper.add(job.name, stop);
  }
  for (let lane = 1; lane <= ctx.config.concurrency * RUNS_PER_TURN; lane++) {
    const name = `run-exports-${lane}`;
    const run = () => runExports(ctx);
    const { stop } = every({ name, intervalMs: 1000, exclusive: false, db, log, clock, run });
    stopper.add(name, stop);
  }
}
