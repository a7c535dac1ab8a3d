import type { Sql } from '@parley/kit/postgres';
import { bitmapOf, firstPositionOf } from '../read-state/bitmap.ts';
import { newestVisible, toUnseenBitmaps } from './newest-visible.ts';
import { beforeRange } from '../read-state/ranges.ts';
import { limitOf, type Progress } from '../read-state/progress.ts';
import type { ShownConversationRow } from '../sql/conversation/conversation-view.ts';
import { listUnseen } from '../sql/read-state/exclusion.ts';
import { participantRef } from '../sql/conversation/participant.ts';

/** A conversation, and the progress of one of its users. */
export type ConversationProgress = { conversation: ShownConversationRow; progress: Progress };

/** Bitmaps of a conversation that one query reads. */
const BITMAPS_AT_ONCE = 16;

type PositionSearch = { seen: ConversationProgress; limit: number; lowest: number };

/** The position of the newest message that the user sees, by conversation id; each conversation must have one. */
export async function findLastPositions(
  sql: Sql,
  seen: readonly ConversationProgress[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let searches: PositionSearch[] = [];
  for (const one of seen) {
    const limit = limitIn(one, limitOf(one.progress, one.conversation.head));
    if (isGapless(one)) found.set(one.conversation.id, limit);
    else searches.push(searchFrom(one, limit));
  }
  while (searches.length > 0) searches = await searchWindow(sql, searches, found);
  return found;
}

/** The position, or the one before the part of the history that the user is not shown. */
function limitIn({ progress }: ConversationProgress, position: number): number {
  return beforeRange(progress.unseen, position);
}

function isGapless({ conversation, progress }: ConversationProgress): boolean {
  return conversation.deleted_count === 0 && progress.row.hidden_count === 0;
}

function searchFrom(seen: ConversationProgress, limit: number): PositionSearch {
  return { seen, limit, lowest: Math.max(0, bitmapOf(limit) - BITMAPS_AT_ONCE + 1) };
}

// Returns the searches that must continue with lower bitmaps.
async function searchWindow(
  sql: Sql,
  searches: readonly PositionSearch[],
  found: Map<string, number>,
): Promise<PositionSearch[]> {
  const rows = await listUnseen(sql, searches.map(toQuery));
  const byId = Map.groupBy(rows, (row) => row.conversation_id);
  return searches.flatMap(({ seen, limit, lowest }) => {
    const { id } = seen.conversation;
    const bitmaps = toUnseenBitmaps(byId.get(id) ?? []);
    const { hidden_until: hiddenUntil } = seen.progress.row;
    const { unseen } = seen.progress;
    const position = newestVisible({ limit, hiddenUntil, unseen, bitmaps, lowestKnown: lowest });
    if (position === undefined)
      return [searchFrom(seen, Math.max(0, limitIn(seen, firstPositionOf(lowest) - 1)))];
    if (position > 0) found.set(id, position);
    return [];
  });
}

function toQuery({ seen, limit, lowest }: PositionSearch) {
  return { ...participantRef(seen.progress.row), lowest, highest: bitmapOf(limit) };
}
