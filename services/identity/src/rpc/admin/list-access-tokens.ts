import type {
  ListAccessTokensRequest,
  ListAccessTokensResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { toAccessToken } from '../../admin/view.ts';
import { listAccessTokens as listAccessTokenRows } from '../../sql/access-token.ts';
import { getApp } from '../../admin/look-up.ts';

/** Lists expired tokens too. */
export async function listAccessTokens(
  ctx: Context,
  req: ListAccessTokensRequest,
): RpcResponse<typeof ListAccessTokensResponseSchema> {
  const app = await getApp(ctx, req.appUuid);
  const tokens = await listAccessTokenRows(ctx.db, app.app_uuid);
  return { accessTokens: tokens.map((token) => toAccessToken(ctx.wire, token)) };
}
