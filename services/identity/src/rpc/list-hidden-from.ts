import { isUuid } from '@parley/domain/ids';
import type {
  ListHiddenFromRequest,
  ListHiddenFromResponseSchema,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../context.ts';
import { listBlockedEitherWay } from '../sql/block.ts';

export async function listHiddenFrom(
  ctx: Context,
  { appId, userId, viewerUserIds }: ListHiddenFromRequest,
): RpcResponse<typeof ListHiddenFromResponseSchema> {
  if (!isUuid(appId)) return { userIds: [] };
  return { userIds: await listBlockedEitherWay(ctx.db, { appId, userId }, viewerUserIds) };
}
