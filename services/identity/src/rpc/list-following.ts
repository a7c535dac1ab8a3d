import { failUnknownFromId } from '@parley/domain/problems';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import type {
  ListFollowingRequest,
  ListFollowingResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { pageAfter } from '../relation/following-lists.ts';
import { findPresences } from '../presence/find.ts';
import { findFittingIdentities, findIdentities } from '../sql/identity.ts';
import { requireUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

const MAX_PAGE_SIZE = 500;

/** A page may begin after a user who is not followed any more. */
export async function listFollowing(
  ctx: Context,
  request: ListFollowingRequest,
): RpcResponse<typeof ListFollowingResponseSchema> {
  const { appId, ownerUserId, fromId, pageSize, withIdentities, knownStamp } = request;
  await requireUser(ctx, { appId, userId: ownerUserId });
  if (fromId !== '') await requireKnown(ctx, appId, fromId);
  const { user_ids: all, stamp } = await ctx.following.of(appId, ownerUserId);
  if (knownStamp !== '' && knownStamp === stamp) return { stamp, unchanged: true };
  const size = Math.min(Math.max(1, Math.trunc(pageSize) || MAX_PAGE_SIZE), MAX_PAGE_SIZE);
  const userIds = pageAfter(all, fromId, size);
  if (!withIdentities) return { userIds, total: all.length, stamp };
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  const { identities, count } = await findFittingIdentities(ctx.db, { appId, userIds, budget });
  const presences = await findPresences(ctx.db, appId, {
    userIds: userIds.slice(0, count),
    viewer: ownerUserId,
  });
  const hasMore = count < userIds.length;
  return { identities, presences: [...presences.values()], total: all.length, stamp, hasMore };
}

async function requireKnown(ctx: Context, appId: string, fromId: string): Promise<void> {
  const [known] = await findIdentities(ctx.db, appId, [fromId]);
  if (!known) failUnknownFromId();
}
