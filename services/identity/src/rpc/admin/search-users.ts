import { ANSWER_BYTES } from '@parley/kit/rpc/byte-budget';
import type {
  SearchUsersRequest,
  SearchUsersResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { findFittingIdentities, searchUserIds } from '../../sql/identity.ts';
import { parsePageSize } from '../../admin/parse-input.ts';
import { getApp } from '../../admin/look-up.ts';

/** Finds users, in the order of user ids. */
export async function searchUsers(
  ctx: Context,
  req: SearchUsersRequest,
): RpcResponse<typeof SearchUsersResponseSchema> {
  const { app_uuid: appId } = await getApp(ctx, req.appUuid);
  const pageSize = parsePageSize(req.pageSize);
  const userIds = await searchUserIds(ctx.db, {
    appId,
    prefix: req.query,
    afterUserId: req.fromId,
    pageSize,
  });
  const found = { appId, userIds, budget: ANSWER_BYTES };
  const { identities: users, count } = await findFittingIdentities(ctx.db, found);
  return { users, hasMore: count < userIds.length };
}
