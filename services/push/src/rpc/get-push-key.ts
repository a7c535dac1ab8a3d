import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  GetPushKeyRequest,
  GetPushKeyResponseSchema,
} from '@parley/proto/parley/push/v1/push_service_pb';
import type { Context } from '../context.ts';
import { obtainVapidKey } from '../provider/web/vapid-key.ts';

/** Problems: not_found. */
export async function getPushKey(
  ctx: Context,
  { appId }: GetPushKeyRequest,
): RpcResponse<typeof GetPushKeyResponseSchema> {
  const key = isUuid(appId) ? await obtainVapidKey(ctx, appId) : undefined;
  return { publicKey: key?.publicKey ?? failNotFound('app', appId) };
}
