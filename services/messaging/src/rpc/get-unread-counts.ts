import { NIL_UUID } from '@parley/kit/nil-uuid';
import { isUserId, isUuid } from '@parley/domain/ids';
import type {
  GetUnreadCountsRequest,
  GetUnreadCountsRequest_Item,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import type { ExclusionBitmaps } from '../reading/exclusions.ts';
import { createProgress } from '../reading/progress.ts';
import { listUnread, type UnreadRow } from '../sql/reading/unread.ts';
import { unreadCount } from '../reading/unread.ts';

/** Nothing is unread in what the user does not take part in; of what does not exist, `seq` is 0. */
export async function getUnreadCounts(ctx: Context, { items }: GetUnreadCountsRequest) {
  const rows = items.length > 0 ? await listUnread(ctx.db, items.map(toPair)) : [];
  const byItem = new Map(rows.map((row) => [row.item, row]));
  return { results: items.map((_, index) => toResult(byItem.get(index))) };
}

export function unreadIn(row: UnreadRow): number {
  return toResult(row).unreadMessageCount ?? 0;
}

function toPair({ appId, conversationId, userId }: GetUnreadCountsRequest_Item) {
  const hasValidIds = isUuid(appId) && isUuid(conversationId) && isUserId(userId);
  return hasValidIds
    ? { app_id: appId, conversation_id: conversationId, user_id: userId }
    : { app_id: NIL_UUID, conversation_id: NIL_UUID, user_id: '' };
}

function toResult(row: UnreadRow | undefined) {
  if (!row || row.deleted_at !== null || !row.is_participant) return { seq: row?.seq ?? 0 };
  const progress = createProgress(row, new Map(), []);
  return {
    unreadMessageCount: unreadCount(progress, row.head, exclusionsOf(row)),
    seq: row.seq,
    lastMessageId: row.last_message_id ?? '',
  };
}

function exclusionsOf({ exclusion_blocks, low, deleted }: UnreadRow): Map<number, ExclusionBitmaps> {
  const blocks = (exclusion_blocks ?? []).map((number, index): [number, Partial<ExclusionBitmaps>] => [
    number,
    { low: low[index], deleted: deleted[index] },
  ]);
  return new Map(blocks as [number, ExclusionBitmaps][]);
}
