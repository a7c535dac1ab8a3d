import type { GetAppRequest, GetAppResponseSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { Answer } from '../answer.ts';
import type { Context } from '../../context.ts';
import { toApp } from '../../admin/view.ts';
import { getApp as getAppRow } from '../../admin/look-up.ts';

export async function getApp(ctx: Context, req: GetAppRequest): Answer<typeof GetAppResponseSchema> {
  return { app: toApp(ctx.wire, await getAppRow(ctx, req.appUuid)) };
}
