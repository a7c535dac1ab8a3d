import { eachApart } from '@parley/kit/durable/work/apart';
import type { Context } from '../context.ts';
import { runExport } from '../run/run-export.ts';
import { listDueExports } from '../sql/export-run.ts';

/** Candidates: more than the runs in progress in all replicas, so that exports are found which are not running. */
const MAX_CANDIDATES = 1000;

/**
 * Runs due exports one after another, and of each application one at a time: the process that holds the application's lock.
 * When a process dies its locks are free at once, and another process starts its exports from the beginning. `found` is called
 * for each export that is about to run.
 */
export async function runExports(ctx: Context, found?: () => void): Promise<void> {
  const due = await listDueExports(ctx.db, ctx.clock.now(), MAX_CANDIDATES);
  await eachApart(due, (one) => runUnlessRunning(ctx, one, found), ctx.stopping.signal);
}

async function runUnlessRunning(
  ctx: Context,
  { app_id: appId, id }: { app_id: string; id: string },
  found?: () => void,
): Promise<void> {
  const lock = await ctx.db.tryLock(`exports of ${appId}`);
  if (!lock) return;
  found?.();
  try {
    await runExport(ctx, { appId, id }, lock);
  } finally {
    await lock.release();
  }
}
