import type { Context } from '../context.ts';
import { moveFollowing } from '../following-moved.ts';
import { followRequested, takeFollowRequest } from '../sql/follow.ts';

/** Follows whoever was asked for in bulk, a slice in a transaction, so that a crash loses and repeats nothing. */
export async function followRequests(ctx: Context): Promise<void> {
  const followSlice = () =>
    ctx.db.tx(async (tx) => {
      const request = await takeFollowRequest(tx);
      if (!request) return false;
      await followRequested(tx, request);
      await moveFollowing(ctx, tx, request.app_id, [request.owner_user_id]);
      return true;
    });
  while (await followSlice());
}
