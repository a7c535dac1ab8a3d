import type {
  DisableKeyRequest,
  DisableKeyResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { setKeyState } from '../../admin/key-state.ts';

export async function disableKey(
  ctx: Context,
  req: DisableKeyRequest,
): RpcResponse<typeof DisableKeyResponseSchema> {
  await setKeyState(ctx, req.keyId, { disabled: true });
  return {};
}
