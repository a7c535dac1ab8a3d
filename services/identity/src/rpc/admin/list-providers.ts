import type {
  ListProvidersRequest,
  ListProvidersResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { toProvider } from '../../admin/view.ts';
import { listProviders as listProviderRows } from '../../sql/provider.ts';
import { getApp } from '../../admin/look-up.ts';

export async function listProviders(
  ctx: Context,
  req: ListProvidersRequest,
): RpcResponse<typeof ListProvidersResponseSchema> {
  const app = await getApp(ctx, req.appUuid);
  const providers = await listProviderRows(ctx.db, app.app_uuid);
  return { providers: providers.map((provider) => toProvider(ctx.wire, provider)) };
}
