import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { beginScheduled } from './begin-scheduled.ts';
import { compareJournals } from './compare-journals.ts';
import { purgeExports } from './purge-exports.ts';
import { purgeJournal } from './purge-journal.ts';
import { runExports } from './run-exports.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Exports in progress for each one that reads: they read in turn, so that a small one does not wait for large ones. */
const RUNS_PER_TURN = 4;

/** Starts the periodic jobs: runs of exports in every replica, the others in one replica at a time. */
export function startTimers(ctx: Context, stopper: Stopper): void {
  startJobs(ctx, stopper, [
    { name: 'event-interests', intervalMs: SECOND_MS, run: ({ interests }) => interests.compare() },
    { name: 'begin-scheduled', intervalMs: SECOND_MS, run: beginScheduled },
    { name: 'purge-exports', intervalMs: MINUTE_MS, run: purgeExports },
    { name: 'compare-journals', intervalMs: 10 * MINUTE_MS, run: compareJournals },
    { name: 'purge-journal', intervalMs: MINUTE_MS, run: purgeJournal },
    {
      name: 'run-exports',
      intervalMs: SECOND_MS,
      exclusive: false,
      lanes: ctx.config.concurrency * RUNS_PER_TURN,
      run: (context, _signal, found) => runExports(context, found),
    },
  ]);
}
