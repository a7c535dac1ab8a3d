import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import {
  listUnread,
  listUnreadCandidates,
  type CandidateRow,
  type UnreadRow,
} from '../sql/read-state/unread.ts';
import type { ExclusionBitmaps } from './exclusions.ts';
import { createProgress } from './progress.ts';
import { unreadCount } from './unread.ts';
import { participantRef } from '../sql/conversation/participant.ts';

export type UnreadTotals = { unreadConversationCount: number; unreadMessageCount: number };

/** Conversations whose unread messages one query counts. */
const PAGE = 1000;
/** Users whose conversations one query lists. */
const USERS = 50;

/** Unread messages of a user in all conversations. Only conversations beyond the user's read watermark are counted. */
export async function countUnreadTotals(
  sql: Sql,
  { appId, userId }: { appId: string; userId: string },
): Promise<UnreadTotals> {
  const totals = await countUnreadTotalsOf(sql, { appId, userIds: [userId] });
  return totals.get(userId)!;
}

/** Counts unread totals of many users, by user id: two statements for each 50 of them, unless they have many unread conversations. */
export async function countUnreadTotalsOf(
  sql: Sql,
  { appId, userIds }: { appId: string; userIds: readonly string[] },
): Promise<Map<string, UnreadTotals>> {
  const totals = new Map<string, UnreadTotals>();
  for (const userId of userIds) totals.set(userId, { unreadConversationCount: 0, unreadMessageCount: 0 });
  let users = [...totals.keys()].map((userId) => ({ userId, after: NIL_UUID }));
  while (users.length > 0) {
    const some = users.slice(0, USERS);
    const limit = Math.floor(PAGE / some.length);
    const pairs = await listUnreadCandidates(sql, { appId, users: some, limit });
    await addUnread(sql, totals, pairs);
    const left = [...Map.groupBy(pairs, ({ user_id }) => user_id)].flatMap(([userId, own]) =>
      own.length < limit ? [] : [{ userId, after: own.at(-1)!.conversation_id }],
    );
    users = [...left, ...users.slice(USERS)];
  }
  return totals;
}

async function addUnread(
  sql: Sql,
  totals: ReadonlyMap<string, UnreadTotals>,
  pairs: readonly CandidateRow[],
): Promise<void> {
  if (pairs.length === 0) return;
  for (const row of await listUnread(sql, pairs.map(participantRef))) {
    const own = totals.get(pairs[row.item]!.user_id)!;
    const unread = countUnread(row) ?? 0;
    own.unreadMessageCount += unread;
    if (unread > 0) own.unreadConversationCount += 1;
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
