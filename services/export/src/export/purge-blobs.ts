import type { Context } from '../context.ts';
import { deleteExportBlob, listUnneededBlobs } from '../sql/export-blob.ts';

const PAGE_SIZE = 100;

/** Removes blobs that no export needs from the store. A blob that the store fails to remove is left to the next run. */
export async function purgeBlobs(ctx: Context): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const blobs: { key: string }[] = await listUnneededBlobs(ctx.db, { after, limit: PAGE_SIZE });
    for (const { key } of blobs) await purgeBlob(ctx, key);
    after = blobs.at(-1)?.key;
  }
}

async function purgeBlob({ db, blobs, log }: Context, key: string): Promise<void> {
  try {
    await blobs.discard(key);
  } catch (error) {
    log.warn({ error, key }, 'failed to remove archive from the store; will retry');
    return;
  }
  await deleteExportBlob(db, key);
}
