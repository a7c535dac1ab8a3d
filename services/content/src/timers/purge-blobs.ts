import { blobKey } from '../content/blob-key.ts';
import type { Context } from '../context.ts';
import { listContentToPurge, markPurged, postponePurge, type EndedContent } from '../sql/ended-content.ts';
import { workInTurn } from './work-in-turn.ts';

/**
 * Removes from the store what is over, round-robin by application. What the store cannot remove now waits by itself; when
 * nothing could be removed in a round of all applications, the next run goes on.
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
    log.warn({ error, contentId: id }, 'content could not be removed from the store yet');
    await postponePurge(db, row, clock.now());
    return false;
  }
}
