import type { Context } from '../context.ts';
import { runExport } from '../run/run-export.ts';
import { listDueExports } from '../sql/export-run.ts';

/** More than there are runs under way anywhere, so that some are found which nobody runs. */
const MAX_CANDIDATES = 1000;

/**
 * Runs what is due, one export after another, and of each application one at a time. The process that holds the lock of
 * an application runs its export; the lock of a process that dies is free at once, and another process begins its
 * export anew.
 */
export async function runExports(ctx: Context): Promise<void> {
  for (const ref of await listDueExports(ctx.db, ctx.clock.now(), MAX_CANDIDATES)) {
    if (ctx.stopping.signal.aborted) return;
    const lock = await ctx.db.tryLock(`exports of ${ref.app_id}`);
    if (!lock) continue;
    try {
      await runExport(ctx, ref, lock);
    } finally {
      await lock.release();
    }
  }
}
