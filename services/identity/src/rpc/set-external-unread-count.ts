import { fail } from '@parley/domain/problems';
import type {
  SetExternalUnreadCountRequest,
  SetExternalUnreadCountResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { upsertExternalUnreadCount } from '../sql/badge.ts';
import { shareIdentities } from '../sql/identity.ts';
import { failUnknownUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/**
 * The user is locked against erasure. Fails with not_found, and with invalid_property unless the count is a whole
 * number of at least 0.
 */
export async function setExternalUnreadCount(
  ctx: Context,
  { appId, userId, externalUnreadCount }: SetExternalUnreadCountRequest,
): RpcResponse<typeof SetExternalUnreadCountResponseSchema> {
  await ctx.db.tx(async (tx) => {
    const present = await shareIdentities(tx, appId, [userId]);
    if (!present.has(userId)) failUnknownUser(userId);
    if (!Number.isSafeInteger(externalUnreadCount) || externalUnreadCount < 0) {
      fail('invalid_property', { property: 'external_unread_count' });
    }
    await upsertExternalUnreadCount(tx, { appId, userId }, externalUnreadCount);
  });
  return {};
}
