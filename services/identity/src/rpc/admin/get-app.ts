import type { GetAppRequest, GetAppResponseSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { toApp } from '../../admin/view.ts';
import { getApp as getAppRow } from '../../admin/look-up.ts';

export async function getApp(ctx: Context, req: GetAppRequest): RpcResponse<typeof GetAppResponseSchema> {
  return { app: toApp(ctx.wire, await getAppRow(ctx, req.appUuid)) };
}
