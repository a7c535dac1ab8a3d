import type {
  FollowUserRequest,
  FollowUserResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { setFollowed } from '../relation/follow.ts';
import type { Answer } from './answer.ts';

/** Fails with not_found unless both exist. */
export async function followUser(
  ctx: Context,
  { appId, ownerUserId: ownerId, targetUserId: targetId }: FollowUserRequest,
): Answer<typeof FollowUserResponseSchema> {
  await setFollowed(ctx, { appId, ownerId, targetId }, true);
  return {};
}
