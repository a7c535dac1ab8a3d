import type { Context } from './context.ts';
import { upsertFollow, type Pair } from './sql/follow.ts';
import { moveFollowing } from './following-moved.ts';

/** What a user says of whether they follow another holds against everything before it. */
export async function decideFollow(ctx: Context, pair: Pair, followed: boolean): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await upsertFollow(tx, { ...pair, followed, now: ctx.clock.now() });
    await moveFollowing(ctx, tx, pair.appId, [pair.ownerId]);
  });
}
