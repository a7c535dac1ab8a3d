import type {
  SuspendUserRequest,
  SuspendUserResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { setUserState } from '../../admin/user-state.ts';

/** Ends the user's sessions; logins of the user are refused until they are resumed. */
export async function suspendUser(
  ctx: Context,
  req: SuspendUserRequest,
): RpcResponse<typeof SuspendUserResponseSchema> {
  await setUserState(ctx, req, { suspended: true });
  return {};
}
