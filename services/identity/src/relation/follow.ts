import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { markFollowingChanged } from './following-changed.ts';
import { hasFollowRow, upsertFollow, type FollowPair } from '../sql/follow.ts';
import { shareIdentities } from '../sql/identity.ts';
import { failUnknownUser } from '../identity/users.ts';

/**
 * Follows or unfollows a user. The decision overrides everything before it. Both users are locked against erasure.
 * Fails with not_found unless both exist; a deleted user may still be unfollowed by their followers.
 */
export async function setFollowed(ctx: Context, pair: FollowPair, followed: boolean): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await requireFollowable(tx, pair, followed);
    await upsertFollow(tx, { ...pair, followed, now: ctx.clock.now() });
    await markFollowingChanged(ctx, tx, pair.appId, [pair.ownerId]);
  });
}

async function requireFollowable(tx: Tx, pair: FollowPair, followed: boolean): Promise<void> {
  const { appId, ownerId, targetId } = pair;
  const present = await shareIdentities(tx, appId, [ownerId, targetId]);
  if (!present.has(ownerId)) failUnknownUser(ownerId);
  if (present.has(targetId)) return;
  if (followed || !(await hasFollowRow(tx, pair))) failUnknownUser(targetId);
}
