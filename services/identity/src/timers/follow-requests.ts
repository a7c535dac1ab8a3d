import type { Tx } from '@parley/kit/postgres';
import { createRounds, type Rounds } from '@parley/kit/durable/work/queue';
import type { Context } from '../context.ts';
import { markFollowingChanged } from '../relation/following-changed.ts';
import { followRequested, followRequestQueue, type FollowRequest } from '../sql/follow.ts';
import { shareIdentities } from '../sql/identity.ts';

/**
 * Carries out bulk follow requests, one slice in a transaction, so that a crash neither loses nor repeats a slice.
 */
export function createFollowRequests(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    queue: followRequestQueue,
    db,
    log,
    clock,
    step: (request) =>
      followRequestQueue.work(db, request, async (tx) => {
        await follow(ctx, tx, request);
        return true;
      }),
  });
}

/** Follows the targets that exist, if the owner exists; locks all of them against erasure. */
async function follow(ctx: Context, tx: Tx, request: FollowRequest): Promise<void> {
  const { app_id: appId, owner_user_id: ownerId, target_user_ids: targetIds } = request;
  const present = await shareIdentities(tx, appId, [ownerId, ...targetIds]);
  if (!present.has(ownerId)) return;
  await followRequested(tx, {
    appId,
    ownerId,
    targetIds: targetIds.filter((userId) => present.has(userId)),
    requestedAt: request.requested_at,
  });
  await markFollowingChanged(ctx, tx, appId, [ownerId]);
}
