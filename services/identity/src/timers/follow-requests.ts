import type { Context } from '../context.ts';
import { followRequested, takeFollowRequest } from '../sql/follow.ts';
import { moveFollowingStamps } from '../sql/following.ts';

/** Follows whoever was asked for in bulk, a slice in a transaction, so that a crash loses and repeats nothing. */
export async function followRequests({ db }: Context): Promise<void> {
  const followSlice = () =>
    db.tx(async (tx) => {
      const request = await takeFollowRequest(tx);
      if (!request) return false;
      await followRequested(tx, request);
      await moveFollowingStamps(tx, request.app_id, [request.owner_user_id]);
      return true;
    });
  while (await followSlice());
}
