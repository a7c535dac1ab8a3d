import type {
  FollowUserRequest,
  FollowUserResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { setFollowed } from '../relation/follow.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Fails with not_found unless both exist. */
export async function followUser(
  ctx: Context,
  { appId, ownerUserId: ownerId, targetUserId: targetId }: FollowUserRequest,
): RpcResponse<typeof FollowUserResponseSchema> {
  await setFollowed(ctx, { appId, ownerId, targetId }, true);
  return {};
}
