import type { ListAppsResponseSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { toApp } from '../../admin/view.ts';
import { listApps as listAppRows } from '../../sql/app.ts';

export async function listApps(ctx: Context): RpcResponse<typeof ListAppsResponseSchema> {
  const apps = await listAppRows(ctx.db);
  return { apps: apps.map((app) => toApp(ctx.wire, app)) };
}
