import type {
  UnfollowUserRequest,
  UnfollowUserResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { setFollowed } from '../relation/follow.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Fails with not_found unless both exist; a deleted user may still be unfollowed by their followers. */
export async function unfollowUser(
  ctx: Context,
  { appId, ownerUserId: ownerId, targetUserId: targetId }: UnfollowUserRequest,
): RpcResponse<typeof UnfollowUserResponseSchema> {
  await setFollowed(ctx, { appId, ownerId, targetId }, false);
  return {};
}
