import type {
  DeleteUserSessionsRequest,
  DeleteUserSessionsResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { endSessionsOfUser } from '../session/sessions.ts';
import { requireUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function deleteUserSessions(
  ctx: Context,
  { appId, userId }: DeleteUserSessionsRequest,
): RpcResponse<typeof DeleteUserSessionsResponseSchema> {
  await requireUser(ctx, { appId, userId });
  const deleted = await ctx.db.tx((tx) => endSessionsOfUser(ctx, tx, { appId, userId }));
  return { deleted };
}
