import type { Context } from '../context.ts';
import { deleteExportBlob, listUnneededBlobs } from '../sql/export-blob.ts';
import { deleteExpiredExports } from '../sql/export.ts';

const PAGE = 100;

/** Expired exports go, record and blob. SPEC completions 8 */
export async function purgeExports(ctx: Context): Promise<void> {
  await deleteExpiredExports(ctx.db, ctx.clock.now());
  await purgeBlobs(ctx);
}

/** What no export needs any more goes from the store. */
export async function purgeBlobs({ db, blobs }: Context): Promise<void> {
  for (;;) {
    const unneeded = await listUnneededBlobs(db, PAGE);
    for (const { key } of unneeded) {
      await blobs.discard(key);
      await deleteExportBlob(db, key);
    }
    if (unneeded.length < PAGE) return;
  }
}
