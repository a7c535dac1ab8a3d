import type { Context } from '../context.ts';
import { deleteExportBlob, listUnneededBlobs } from '../sql/export-blob.ts';
import { deleteExpiredExports } from '../sql/export.ts';

const PAGE_SIZE = 100;

/** Expired exports go, record and blob. SPEC completions 8 */
export async function purgeExports(ctx: Context): Promise<void> {
  await deleteExpiredExports(ctx.db, ctx.clock.now());
  await purgeBlobs(ctx);
}

/** What no export needs any more goes from the store. What the store cannot remove now is left to the next run. */
export async function purgeBlobs(ctx: Context): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const unneeded: { key: string }[] = await listUnneededBlobs(ctx.db, { after, limit: PAGE_SIZE });
    for (const { key } of unneeded) await purgeBlob(ctx, key);
    after = unneeded.at(-1)?.key;
  }
}

async function purgeBlob({ db, blobs, log }: Context, key: string): Promise<void> {
  try {
    await blobs.discard(key);
  } catch (error) {
    log.warn({ error, key }, 'an archive could not be removed from the store yet');
    return;
  }
  await deleteExportBlob(db, key);
}
