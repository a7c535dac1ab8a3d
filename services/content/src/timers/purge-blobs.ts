import { blobKey } from '../blob-key.ts';
import type { Context } from '../context.ts';
import { listToPurge, markPurged, postponePurge, type EndedRow } from '../sql/content-end.ts';

const BATCH = 100;
/** Blobs of one application in a batch. */
const SHARE = 20;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Removes from the store what is over, round-robin by application. What the store cannot remove now waits by itself; when
 * nothing could be removed in a round of all applications, the next run goes on.
 */
export async function purgeBlobs(ctx: Context, signal?: AbortSignal): Promise<void> {
  let after = BEFORE_ALL;
  let isWorking = false;
  while (!signal?.aborted) {
    const turn = { after, now: ctx.clock.now(), share: SHARE, limit: BATCH };
    const ended = await listToPurge(ctx.db, turn);
    const purged = await Promise.all(ended.map((row) => purge(ctx, row)));
    isWorking ||= purged.some(Boolean);
    const last = ended.at(-1);
    if (last && ended.length === BATCH) {
      after = last.app_id;
      continue;
    }
    if (!isWorking) return;
    after = BEFORE_ALL;
    isWorking = false;
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
    await postponePurge(db, row, clock.now());
    return false;
  }
}
