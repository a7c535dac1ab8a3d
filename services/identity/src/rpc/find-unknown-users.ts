import type {
  FindUnknownUsersRequest,
  FindUnknownUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { findReturned, findUnknownUserIds } from '../sql/identity.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function findUnknownUsers(
  ctx: Context,
  { appId, userIds }: FindUnknownUsersRequest,
): RpcResponse<typeof FindUnknownUsersResponseSchema> {
  if (userIds.length === 0) return {};
  // The order matters: a user who comes back in between is answered as unknown, never as known without an
  // incarnation.
  const unknown = await findUnknownUserIds(ctx.db, appId, userIds);
  const returned = await findReturned(ctx.db, appId, userIds);
  return {
    userIds: unknown,
    returned: returned.map(({ user_id: userId, incarnation }) => ({ userId, incarnation })),
  };
}
