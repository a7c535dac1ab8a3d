import { blobKey } from '../blob-key.ts';
import type { Context } from '../context.ts';
import { listToPurge, markPurged, type EndedRow } from '../sql/content-end.ts';

const BATCH = 100;

/** Removes from the store what is over. What the store cannot remove now is tried again at the next run. */
export async function purgeBlobs(ctx: Context): Promise<void> {
  for (;;) {
    const ended = await listToPurge(ctx.db, BATCH);
    const purged = await Promise.all(ended.map((row) => purge(ctx, row)));
    if (ended.length < BATCH || !purged.every(Boolean)) return;
  }
}

async function purge({ db, blobs, clock, log }: Context, row: EndedRow): Promise<boolean> {
  const { app_id: appId, id } = row;
  try {
    await blobs.discard(blobKey({ appId, id }));
    await markPurged(db, { appId, id, at: clock.now() });
    return true;
  } catch (error) {
    log.warn({ error, contentId: id }, 'content could not be removed from the store yet');
    return false;
  }
}
