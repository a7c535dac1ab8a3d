import type {
  DeleteKeyRequest,
  DeleteKeyResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { markProviderKeyDeleted } from '../../sql/provider-key.ts';
import { failUnknown, getKey } from '../../admin/look-up.ts';

/** The record stays, so that tokens signed with the key are refused with the right reason. */
export async function deleteKey(
  ctx: Context,
  req: DeleteKeyRequest,
): RpcResponse<typeof DeleteKeyResponseSchema> {
  const { id, app_uuid: appId } = await getKey(ctx, req.keyId);
  await ctx.db.tx(async (tx) => {
    if (!(await markProviderKeyDeleted(tx, id, ctx.clock.now()))) failUnknown('key', id);
    await ctx.journal.add(tx, { kind: 'key.deleted', id });
    await audit(ctx, tx, { appId, action: 'key.deleted', actor: 'admin', subject: id });
  });
  return {};
}
