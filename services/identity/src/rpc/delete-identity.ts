import type {
  DeleteIdentityRequest,
  DeleteIdentityResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { removeUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Fails with not_found if the user does not exist or is deleted. */
export async function deleteIdentity(
  ctx: Context,
  { appId, userId }: DeleteIdentityRequest,
): RpcResponse<typeof DeleteIdentityResponseSchema> {
  const identity = await ctx.db.tx((tx) => removeUser(ctx, tx, { appId, userId }));
  return { identity };
}
