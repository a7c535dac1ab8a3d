import type {
  GetExternalUnreadCountRequest,
  GetExternalUnreadCountResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { findExternalUnreadCount } from '../sql/badge.ts';
import { requireUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function getExternalUnreadCount(
  ctx: Context,
  { appId, userId }: GetExternalUnreadCountRequest,
): RpcResponse<typeof GetExternalUnreadCountResponseSchema> {
  await requireUser(ctx, { appId, userId });
  return { externalUnreadCount: await findExternalUnreadCount(ctx.db, { appId, userId }) };
}
