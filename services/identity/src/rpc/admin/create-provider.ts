import type {
  CreateProviderRequest,
  CreateProviderResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { toProvider } from '../../admin/view.ts';
import { insertProvider } from '../../sql/provider.ts';
import { parseName } from '../../admin/parse-input.ts';
import { getApp } from '../../admin/look-up.ts';

export async function createProvider(
  ctx: Context,
  req: CreateProviderRequest,
): RpcResponse<typeof CreateProviderResponseSchema> {
  const name = parseName(req.name);
  const { app_uuid: appId } = await getApp(ctx, req.appUuid);
  const id = ctx.newId();
  const provider = await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { appId, action: 'provider.created', actor: 'admin', subject: id });
    return insertProvider(tx, { id, appId, name, createdAt: ctx.clock.now() });
  });
  return { provider: toProvider(ctx.wire, provider) };
}
