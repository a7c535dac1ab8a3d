import type {
  ListKeysRequest,
  ListKeysResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { toKey } from '../../admin/view.ts';
import { listProviderKeys } from '../../sql/provider-key.ts';
import { getProvider } from '../../admin/look-up.ts';

export async function listKeys(
  ctx: Context,
  req: ListKeysRequest,
): RpcResponse<typeof ListKeysResponseSchema> {
  const provider = await getProvider(ctx, req.providerId);
  const keys = await listProviderKeys(ctx.db, provider.id);
  return { keys: keys.map((key) => toKey(ctx.wire, key)) };
}
