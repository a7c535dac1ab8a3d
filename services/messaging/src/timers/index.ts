import { isOutage, unlessReadOnly } from '@parley/kit/postgres';
import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Context } from '../context.ts';
import { createPushRounds } from '../push/make-pushes.ts';
import { maintainPartitions } from './change-partitions.ts';
import { foldCounts } from './conversation-counts.ts';
import { eraseUsers } from './erase-users.ts';
import { keepSeen, tellDoubtful } from '../live/publisher-liveness.ts';
import { createTailRepairs } from '../live/tail-repairs.ts';
import { sweepExportCuts } from './export-cuts.ts';
import { forgetPlaces } from './list-places.ts';
import { forgetOperations } from './operations.ts';

const MINUTE_MS = 60_000;

export type Timers = {
  /** Wakes the job that makes pushes. */
  push(): void;
};

/** Starts the timers, once the change log has its partitions: those of the next days are there if the database is read-only. */
export async function startTimers(ctx: Context, stopper: Stopper): Promise<Timers> {
  await unlessAway(ctx, unlessReadOnly(maintainPartitions(ctx), ctx.log));
  const jobs = startJobs(ctx, stopper, [
    { name: 'change-partitions', intervalMs: 10 * MINUTE_MS, run: maintainPartitions },
    { name: 'conversation-counts', intervalMs: MINUTE_MS, run: foldCounts },
    { name: 'operations', intervalMs: 10 * MINUTE_MS, run: forgetOperations },
    { name: 'list-places', intervalMs: 10 * MINUTE_MS, run: forgetPlaces },
    { name: 'erasures', intervalMs: 1_000, rounds: eraseUsers },
    { name: 'live-publisher', intervalMs: 1_000, exclusive: false, run: keepSeen },
    { name: 'doubtful-tails', intervalMs: 1_000, exclusive: false, run: tellDoubtful },
    { name: 'lost-tails', intervalMs: 1_000, idleMs: 1_000, rounds: createTailRepairs },
    { name: 'export-cuts', intervalMs: 60 * MINUTE_MS, run: sweepExportCuts },
    // In four lanes of every replica: each step waits for identity.
    { name: 'pushes', intervalMs: 500, exclusive: false, lanes: 4, rounds: createPushRounds },
  ]);
  return { push: () => jobs.wake('pushes') };
}

/** A process starts while the server of one of several cells is away: the others have work. */
async function unlessAway({ cells, cell, log }: Context, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (cells.count === 1 || !isOutage(error)) throw error;
    log.warn({ error, cell: cell?.name }, 'the database of a cell cannot be reached; starting without it');
  });
}
