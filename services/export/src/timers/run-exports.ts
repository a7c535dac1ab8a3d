import type { Context } from '../context.ts';
import { runExport } from '../run/run-export.ts';
import { listDueExports } from '../sql/export-run.ts';

/** More than there are runs in progress in all replicas, so that exports are found which are not running. */
const MAX_CANDIDATES = 1000;

/**
 * Runs due exports one after another, and of each application one at a time: the process that holds the application's lock.
 * When a process dies its locks are free at once, and another process starts its exports from the beginning. `found` is called
 * for each export that is about to run.
 */
export async function runExports(ctx: Context, found?: () => void): Promise<void> {
  for (const { app_id: appId, id } of await listDueExports(ctx.db, ctx.clock.now(), MAX_CANDIDATES)) {
    if (ctx.stopping.signal.aborted) return;
    const lock = await ctx.db.tryLock(`exports of ${appId}`);
    if (!lock) continue;
    found?.();
    try {
      await runExport(ctx, { appId, id }, lock);
    } finally {
      await lock.release();
    }
  }
}
