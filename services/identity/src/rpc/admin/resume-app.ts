import type {
  ResumeAppRequest,
  ResumeAppResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { setAppState } from '../../admin/app-state.ts';

/** Sessions from before the suspension are valid again. */
export async function resumeApp(
  ctx: Context,
  req: ResumeAppRequest,
): RpcResponse<typeof ResumeAppResponseSchema> {
  await setAppState(ctx, req.appUuid, { suspended: false });
  return {};
}
