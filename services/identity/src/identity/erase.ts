import type { Tx } from '@parley/kit/postgres';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';
import { deleteBadge } from '../sql/badge.ts';
import { deleteBlocks, nextBlockVersion } from '../sql/block.ts';
import { deleteFollows } from '../sql/follow.ts';
import { deleteFollowerNotices } from '../sql/follower-notice.ts';
import { advanceFollowingStamps } from '../sql/following.ts';
import { renewIncarnation, type UserKey } from '../sql/identity.ts';
import { deleteMemberships, lockMembershipsOf } from '../sql/membership.ts';
import { deletePresence } from '../sql/presence.ts';
import { deleteDeparturesFor } from '../sql/departure.ts';
import { publishGone } from '../presence/record.ts';
import { noteFollowers } from '../relation/departures.ts';
import { deletePushTokens } from '../sql/push-token.ts';
import { removeUser } from './users.ts';

/** Deletes the user's relations in both directions, unread count, push tokens and presence. */
async function deleteRelations(ctx: Context, tx: Tx, user: UserKey): Promise<void> {
  const { appId, userId } = user;
  await deleteMemberships(tx, appId, userId);
  await deleteFollows(tx, appId, userId);
  await deleteBlocks(tx, appId, userId);
  await deleteFollowerNotices(tx, appId, userId);
  await deleteBadge(tx, user);
  await deletePushTokens(tx, user);
  await deleteDeparturesFor(tx, user);
  const presence = await deletePresence(tx, user);
  // If the presence was not deleted after all, its gateway's next report publishes it again.
  if (presence) tx.afterCommit(() => publishGone(ctx, presence), 'same');
}

/**
 * Erases a locked identity here, and makes the other services erase their records of earlier incarnations. `atLeast`: a version that
 * other services may know already; the new incarnation is no lower.
 */
export async function eraseLocked(
  ctx: Context,
  tx: Tx,
  before: Identity,
  { atLeast = 0 } = {},
): Promise<{ identity: Identity; blocksUntil: number }> {
  const { appId, userId } = before;
  await lockMembershipsOf(tx, { erased: [appId] });
  const deleted = before.deleted ? before : await removeUser(ctx, tx, { appId, userId });
  await noteFollowers(ctx, tx, deleted);
  await deleteRelations(ctx, tx, { appId, userId });
  await advanceFollowingStamps(tx, appId, ['']);
  const identity = await renewIncarnation(tx, { appId, userId, atLeast });
  const blocksUntil = await nextBlockVersion(tx);
  const value = { userId, blocksUntil, version: identity.incarnation };
  await ctx.emit(tx, { appId, body: { case: 'userErased', value } });
  await ctx.journal.add(tx, { kind: 'user.erased', appId, userId, version: identity.incarnation });
  await audit(ctx, tx, { appId, action: 'user.erased', actor: 'server', subject: userId });
  return { identity, blocksUntil };
}
