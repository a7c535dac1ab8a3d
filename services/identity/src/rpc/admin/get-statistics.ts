import type {
  GetStatisticsRequest,
  GetStatisticsResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { countStatistics } from '../../sql/statistics.ts';
import { getApp } from '../../admin/look-up.ts';

/** Deleted applications and users, and expired sessions, are not counted. */
export async function getStatistics(
  ctx: Context,
  req: GetStatisticsRequest,
): RpcResponse<typeof GetStatisticsResponseSchema> {
  const app = req.appUuid === '' ? undefined : await getApp(ctx, req.appUuid);
  return countStatistics(ctx.db, app?.app_uuid, ctx.clock.now());
}
