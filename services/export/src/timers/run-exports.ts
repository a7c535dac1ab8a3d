import type { Context } from '../context.ts';
import { runExport } from '../run/run-export.ts';
import { listDueExports } from '../sql/export-run.ts';

/** More than there are runs under way anywhere, so that some are found which nobody runs. */
const CANDIDATES = 100;

/**
 * Runs what is due, one after another. Whoever holds the lock of an export runs it; the lock of a process that dies is
 * free at once, and its exports are begun anew by another one.
 */
export async function runExports(ctx: Context): Promise<void> {
  for (const ref of await listDueExports(ctx.db, ctx.clock.now(), CANDIDATES)) {
    if (ctx.stopping.signal.aborted) return;
    const lock = await ctx.db.tryLock(`export ${ref.id}`);
    if (!lock) continue;
    try {
      await runExport(ctx, ref, lock);
    } finally {
      await lock.release();
    }
  }
}
