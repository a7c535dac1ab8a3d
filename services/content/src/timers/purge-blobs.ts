import { blobKey } from '../content/blob-key.ts';
import type { Context } from '../context.ts';
import { listContentToPurge, markPurged, postponePurge, type EndedContent } from '../sql/ended-content.ts';
import { workInTurn } from './work-in-turn.ts';

/**
 * Removes the blobs of ended contents from the store, in turn by application. A blob that the store fails to remove is
 * postponed by itself; after a round of all applications without success the run ends.
 */
export async function purgeBlobs(ctx: Context, signal?: AbortSignal): Promise<void> {
  await workInTurn({
    list: (turn) => listContentToPurge(ctx.db, { ...turn, now: ctx.clock.now() }),
    work: (rows) => Promise.all(rows.map((row) => purge(ctx, row))),
    signal,
  });
}

async function purge({ db, blobs, clock, log }: Context, row: EndedContent): Promise<boolean> {
  const { app_id: appId, id } = row;
  try {
    await blobs.discard(blobKey({ appId, id }));
    await markPurged(db, { appId, id, at: clock.now() });
    return true;
  } catch (error) {
    log.warn({ error, appId, contentId: id }, 'failed to remove content from the store; will retry');
    await postponePurge(db, row, clock.now());
    return false;
  }
}
