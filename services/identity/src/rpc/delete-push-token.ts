import type {
  DeletePushTokenRequest,
  DeletePushTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/push_token_service_pb';
import type { Context } from '../context.ts';
import { deletePushToken as deleteRow } from '../sql/push-token.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function deletePushToken(
  ctx: Context,
  { appId, userId, deviceId, token }: DeletePushTokenRequest,
): RpcResponse<typeof DeletePushTokenResponseSchema> {
  await deleteRow(ctx.db, { appId, userId }, { deviceId, token });
  return {};
}
