import type {
  SuspendAppRequest,
  SuspendAppResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { setAppState } from '../../admin/app-state.ts';

/** The application's logins and requests are refused until it is resumed; its sessions stay. */
export async function suspendApp(
  ctx: Context,
  req: SuspendAppRequest,
): RpcResponse<typeof SuspendAppResponseSchema> {
  await setAppState(ctx, req.appUuid, { suspended: true });
  return {};
}
