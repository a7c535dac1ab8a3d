import { isUserId, isUuid } from '@parley/domain/ids';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { shareOf } from '@parley/kit/postgres/pool-shares';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  CheckPushesRequest,
  CheckPushesRequest_Item,
  CheckPushesResponseSchema,
} from '@parley/proto/parley/messaging/v1/notification_service_pb';
import type { Context } from '../context.ts';
import { countUnreadTotalsOf, type UnreadTotals } from '../read-state/totals.ts';
import { listWantedPushes } from '../sql/push/push-wanted.ts';

const NONE: UnreadTotals = { unreadConversationCount: 0, unreadMessageCount: 0 };

/** Whether pushes are still to be shown, with the unread counts of the users of those that are. */
export async function checkPushes(
  ctx: Context,
  { appId, items }: CheckPushesRequest,
): RpcResponse<typeof CheckPushesResponseSchema> {
  if (!isUuid(appId)) return { results: items.map(() => ({ isWanted: false })) };
  const db = shareOf(ctx.db, ctx.shares, appId);
  const found = await listWantedPushes(db, appId, items.map(toMessage));
  const isWanted = items.map(({ messageId, userId }, index) =>
    messageId === '' ? isUserId(userId) : found.has(index),
  );
  const userIds = items.filter((_, index) => isWanted[index]).map(({ userId }) => userId);
  const totals = await countUnreadTotalsOf(db, { appId, userIds });
  return {
    results: items.map(({ userId }, index) => ({
      isWanted: isWanted[index] === true,
      ...(totals.get(userId) ?? NONE),
    })),
  };
}

function toMessage({ userId, conversationId, messageId }: CheckPushesRequest_Item) {
  const hasValidIds = isUuid(conversationId) && isUuid(messageId) && isUserId(userId);
  return hasValidIds
    ? { userId, conversationId, messageId }
    : { userId: '', conversationId: NIL_UUID, messageId: NIL_UUID };
}
