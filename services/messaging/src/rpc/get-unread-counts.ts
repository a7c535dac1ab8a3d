import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { isUserId, isUuid } from '@parley/domain/ids';
import type {
  GetUnreadCountsRequest,
  GetUnreadCountsRequest_Item,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { countUnread } from '../read-state/totals.ts';
import { listUnread, type UnreadRow } from '../sql/read-state/unread.ts';

/** A user who does not take part, or not any more, has no unread messages. `seq` is 0 for a conversation that does not exist. */
export async function getUnreadCounts(ctx: Context, { items }: GetUnreadCountsRequest) {
  const rows = items.length > 0 ? await listUnread(ctx.db, items.map(toPair)) : [];
  const byItem = new Map(rows.map((row) => [row.item, row]));
  return { results: items.map((_, index) => toResult(byItem.get(index))) };
}

function toPair({ appId, conversationId, userId }: GetUnreadCountsRequest_Item) {
  const hasValidIds = isUuid(appId) && isUuid(conversationId) && isUserId(userId);
  return hasValidIds
    ? { appId, conversationId, userId }
    : { appId: NIL_UUID, conversationId: NIL_UUID, userId: '' };
}

function toResult(row: UnreadRow | undefined) {
  const unreadMessageCount = row && countUnread(row);
  if (!row || unreadMessageCount === undefined) return { seq: row?.seq ?? 0 };
  return { unreadMessageCount, seq: row.seq, lastMessageId: row.last_message_id ?? '' };
}
