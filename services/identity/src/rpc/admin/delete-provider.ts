import type {
  DeleteProviderRequest,
  DeleteProviderResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { markProviderDeleted } from '../../sql/provider.ts';
import { failUnknown, getProvider } from '../../admin/look-up.ts';

/** Logins with the provider's keys are refused from now on; sessions stay. */
export async function deleteProvider(
  ctx: Context,
  req: DeleteProviderRequest,
): RpcResponse<typeof DeleteProviderResponseSchema> {
  const { id, app_uuid: appId } = await getProvider(ctx, req.providerId);
  await ctx.db.tx(async (tx) => {
    if (!(await markProviderDeleted(tx, id, ctx.clock.now()))) failUnknown('provider', id);
    await ctx.journal.add(tx, { kind: 'provider.deleted', id });
    await audit(ctx, tx, { appId, action: 'provider.deleted', actor: 'admin', subject: id });
  });
  return {};
}
