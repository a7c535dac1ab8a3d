import { startJobs } from '@parley/kit/work/jobs';
import type { Stopper } from '@parley/kit/process';
import type { Context } from '../context.ts';
import { beginScheduled } from './begin-scheduled.ts';
import { purgeExports } from './purge-exports.ts';
import { purgeJournal } from './purge-journal.ts';
import { runExports } from './run-exports.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Exports under way for each one that is at work: large ones take turns, so that a small one need not wait for their end. */
const RUNS_PER_TURN = 4;

/** Starts everything that happens because time passed: runs in every replica, the rest in one of them. */
export function startTimers(ctx: Context, stopper: Stopper): void {
  startJobs(ctx, stopper, [
    { name: 'begin-scheduled', intervalMs: SECOND_MS, run: beginScheduled },
    { name: 'purge-exports', intervalMs: MINUTE_MS, run: purgeExports },
    { name: 'purge-journal', intervalMs: MINUTE_MS, run: purgeJournal },
    {
      name: 'run-exports',
      intervalMs: SECOND_MS,
      exclusive: false,
      lanes: ctx.config.concurrency * RUNS_PER_TURN,
      run: runExports,
    },
  ]);
}
