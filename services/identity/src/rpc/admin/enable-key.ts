import type {
  EnableKeyRequest,
  EnableKeyResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { setKeyState } from '../../admin/key-state.ts';

export async function enableKey(
  ctx: Context,
  req: EnableKeyRequest,
): RpcResponse<typeof EnableKeyResponseSchema> {
  await setKeyState(ctx, req.keyId, { disabled: false });
  return {};
}
