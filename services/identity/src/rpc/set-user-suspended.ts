import type {
  SetUserSuspendedRequest,
  SetUserSuspendedResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';
import { setSuspended } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Suspension ends the user's sessions. Fails with not_found if the user does not exist. */
export async function setUserSuspended(
  ctx: Context,
  { appId, userId, suspended }: SetUserSuspendedRequest,
): RpcResponse<typeof SetUserSuspendedResponseSchema> {
  await ctx.db.tx(async (tx) => {
    if (!(await setSuspended(ctx, tx, { appId, userId, suspended }))) return;
    const action = suspended ? 'user.suspended' : 'user.resumed';
    await audit(ctx, tx, { appId, action, actor: 'server', subject: userId });
  });
  return {};
}
