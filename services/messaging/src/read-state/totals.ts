import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import { listUnread, listUnreadCandidates, type UnreadRow } from '../sql/read-state/unread.ts';
import type { ExclusionBitmaps } from './exclusions.ts';
import { createProgress } from './progress.ts';
import { unreadCount } from './unread.ts';
import { participantRef } from '../sql/conversation/participant.ts';

export type UnreadTotals = { unreadConversationCount: number; unreadMessageCount: number };

/** Conversations whose unread messages one query counts. */
const PAGE = 1000;

/** Unread messages of a user in all conversations. Only conversations beyond the user's read watermark are counted. */
export async function countUnreadTotals(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
): Promise<UnreadTotals> {
  const totals = { unreadConversationCount: 0, unreadMessageCount: 0 };
  for (let after = NIL_UUID; ;) {
    const pairs = await listUnreadCandidates(sql, { appId, userId, after, limit: PAGE });
    const rows = pairs.length > 0 ? await listUnread(sql, pairs.map(participantRef)) : [];
    for (const row of rows) {
      const unread = countUnread(row) ?? 0;
      totals.unreadMessageCount += unread;
      if (unread > 0) totals.unreadConversationCount += 1;
    }
    const last = pairs.at(-1);
    if (!last || pairs.length < PAGE) return totals;
    after = last.conversation_id;
  }
}

/** Unread messages of a user in a conversation; undefined: it is deleted, or the user never took part. */
export function countUnread(row: UnreadRow): number | undefined {
  if (row.deleted_at !== null || !row.is_participant) return undefined;
  return unreadCount(createProgress(row, new Map(), []), row.head, exclusionsOf(row));
}

function exclusionsOf({ exclusion_blocks, low, deleted }: UnreadRow): Map<number, ExclusionBitmaps> {
  const bitmaps = (exclusion_blocks ?? []).map((number, index): [number, Partial<ExclusionBitmaps>] => [
    number,
    { low: low[index], deleted: deleted[index] },
  ]);
  return new Map(bitmaps as [number, ExclusionBitmaps][]);
}
