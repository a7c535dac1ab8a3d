import type {
  IsFollowingRequest,
  IsFollowingResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { isFollowing as lookUp } from '../sql/following.ts';
import { requireUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function isFollowing(
  ctx: Context,
  { appId, ownerUserId: ownerId, targetUserId: targetId }: IsFollowingRequest,
): RpcResponse<typeof IsFollowingResponseSchema> {
  await requireUser(ctx, { appId, userId: ownerId });
  return { following: await lookUp(ctx.db, { appId, ownerId, targetId }) };
}
