import type {
  ResumeUserRequest,
  ResumeUserResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { setUserState } from '../../admin/user-state.ts';

export async function resumeUser(
  ctx: Context,
  req: ResumeUserRequest,
): RpcResponse<typeof ResumeUserResponseSchema> {
  await setUserState(ctx, req, { suspended: false });
  return {};
}
