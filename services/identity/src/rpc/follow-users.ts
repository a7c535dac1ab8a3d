import type {
  FollowUsersRequest,
  FollowUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Context } from '../context.ts';
import { insertFollowRequests, type NewFollowRequest } from '../sql/follow.ts';
import { shareIdentities } from '../sql/identity.ts';
import { failUnknownUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

const SLICE = 1000;

/** Stores the requests, which a timer carries out. Fails with not_found if the owner does not exist. */
export async function followUsers(
  ctx: Context,
  { appId, ownerUserId, targetUserIds }: FollowUsersRequest,
): RpcResponse<typeof FollowUsersResponseSchema> {
  const wanted = [...new Set(targetUserIds)];
  const requestedAt = ctx.clock.now();
  const requests: NewFollowRequest[] = [];
  for (let first = 0; first < wanted.length; first += SLICE) {
    requests.push({
      id: ctx.newId(),
      appId,
      ownerId: ownerUserId,
      requestedAt,
      targetIds: wanted.slice(first, first + SLICE),
    });
  }
  await ctx.db.tx(async (tx) => {
    const present = await shareIdentities(tx, appId, [ownerUserId]);
    if (!present.has(ownerUserId)) failUnknownUser(ownerUserId);
    if (requests.length > 0) await insertFollowRequests(tx, requests);
  });
  return {};
}
