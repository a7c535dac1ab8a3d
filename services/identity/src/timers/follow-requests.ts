import { createRounds, type Rounds } from '@parley/kit/work-queue';
import type { Context } from '../context.ts';
import { moveFollowing } from '../following-moved.ts';
import { followRequested, followRequestQueue } from '../sql/follow.ts';

/** Follows the users that were asked for in bulk, a slice in a transaction, so that a crash loses and repeats nothing. */
export function createFollowRequests(ctx: Context): Rounds {
  const { db, log, clock } = ctx;
  return createRounds({
    ...{ queue: followRequestQueue, db, log, clock },
    step: (request) =>
      followRequestQueue.work(db, request, async (tx) => {
        await followRequested(tx, request);
        await moveFollowing(ctx, tx, request.app_id, [request.owner_user_id]);
        return true;
      }),
  });
}
