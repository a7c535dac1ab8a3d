import type {
  EraseUserRequest,
  EraseUserResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Tx } from '@parley/kit/postgres';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';
import { trimRelations } from '../relation/trim-relations.ts';
import { deleteBadge } from '../sql/badge.ts';
import { deleteBlocks, nextBlockVersion } from '../sql/block.ts';
import { deleteFollows } from '../sql/follow.ts';
import { deleteFollowerNotices } from '../sql/follower-notice.ts';
import { advanceFollowingStamps } from '../sql/following.ts';
import { lockIdentity, renewIncarnation, type UserKey } from '../sql/identity.ts';
import { deleteMemberships } from '../sql/membership.ts';
import { deletePresence } from '../sql/presence.ts';
import { deletePushTokens } from '../sql/push-token.ts';
import { failUnknownUser, removeUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Deletes the user's relations in both directions, unread count, push tokens and presence. */
async function deleteRelations(tx: Tx, user: UserKey): Promise<void> {
  const { appId, userId } = user;
  await deleteMemberships(tx, appId, userId);
  await deleteFollows(tx, appId, userId);
  await deleteBlocks(tx, appId, userId);
  await deleteFollowerNotices(tx, appId, userId);
  await deleteBadge(tx, user);
  await deletePushTokens(tx, user);
  await deletePresence(tx, user);
}

/**
 * Erases the user here, and makes the other services erase their records of earlier incarnations. A repeated call
 * gets the same answer. Fails with not_found.
 */
export async function eraseUser(
  ctx: Context,
  { appId, userId }: EraseUserRequest,
): RpcResponse<typeof EraseUserResponseSchema> {
  await trimRelations(ctx, { appId, userId });
  return ctx.db.tx(async (tx) => {
    const before = (await lockIdentity(tx, { appId, userId })) ?? failUnknownUser(userId);
    if (!before.deleted) await removeUser(ctx, tx, { appId, userId });
    await deleteRelations(tx, { appId, userId });
    await advanceFollowingStamps(tx, appId, ['']);
    const identity = await renewIncarnation(tx, { appId, userId });
    const blocksUntil = await nextBlockVersion(tx);
    const value = { userId, blocksUntil, version: identity.incarnation };
    await ctx.emit(tx, { appId, body: { case: 'userErased', value } });
    await ctx.journal.add(tx, { kind: 'user.erased', appId, userId, version: identity.incarnation });
    await audit(ctx, tx, { appId, action: 'user.erased', actor: 'server', subject: userId });
    return { identity, blocksUntil };
  });
}
