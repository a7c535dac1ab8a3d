import { create } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import { UserViewSchema, type UserView } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { bitmapOf } from '../read-state/bitmap.ts';
import { NO_EXCLUSIONS, type Exclusions } from '../read-state/exclusions.ts';
import { loadLastMessages } from './last-messages.ts';
import type { ConversationProgress } from './last-positions.ts';
import {
  createProgress,
  firstSeenOf,
  floorOf,
  limitOf,
  seenPart,
  type Progress,
} from '../read-state/progress.ts';
import type { ShownConversationRow } from '../sql/conversation/conversation-view.ts';
import { listExclusions } from '../sql/read-state/exclusion.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { countShadowed, type ShadowedCount } from '../sql/message/shadowed.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';
import { unreadCount, visibleCount } from '../read-state/unread.ts';

/**
 * Loads the properties of conversations that differ between users, by conversation id; `own`: the user's participant rows.
 * When the last messages exceed the budget in bytes, the conversations that have a message are left out from the first
 * one that does not fit.
 */
export async function loadUserViews(
  sql: Sql,
  conversations: readonly ShownConversationRow[],
  { own, budget }: { own: readonly ParticipantRow[]; budget: number },
): Promise<Map<string, UserView>> {
  const rows = new Map(own.map((row) => [row.conversation_id, row]));
  const seen = conversations.flatMap((conversation) => {
    const row = rows.get(conversation.id);
    return row ? [{ conversation, progress: createProgress(row, new Map(), []) }] : [];
  });
  const exclusions = await loadExclusions(sql, seen);
  const views = new Map(seen.map((one) => [one.conversation.id, toView(one, exclusions)]));
  const shadowed = await findShadowed(sql, seen);
  for (const [id, { count }] of shadowed) views.get(id)!.totalMessageCount += count;
  const visible = seen.filter(({ conversation: { id } }) => views.get(id)!.totalMessageCount > 0);
  const last = await loadLastMessages(sql, visible, { budget, shadowed });
  for (const { conversation } of visible) {
    const found = last.get(conversation.id);
    if (!found) views.delete(conversation.id);
    else Object.assign(views.get(conversation.id)!, { lastMessage: found.message, receipts: found.receipts });
  }
  return views;
}

function toView(
  { conversation, progress }: ConversationProgress,
  byId: ReadonlyMap<string, Exclusions>,
): UserView {
  const exclusions = byId.get(conversation.id) ?? NO_EXCLUSIONS;
  return create(UserViewSchema, {
    unreadMessageCount: unreadCount(progress, conversation.head, exclusions),
    totalMessageCount: visibleCount(progress, conversation, exclusions),
  });
}

/** The shadowed messages that the user sees as their sender, by conversation id. */
async function findShadowed(
  sql: Sql,
  seen: readonly ConversationProgress[],
): Promise<Map<string, ShadowedCount>> {
  const marked = seen.filter(({ conversation }) => hasSideTable(conversation, 'shadow'));
  const [first] = marked;
  if (!first) return new Map();
  const { app_id: appId, user_id: userId } = first.progress.row;
  const parts = marked.map(({ conversation, progress }) => seenPart(progress.row, conversation.head));
  const rows = await countShadowed(sql, { appId, userId }, parts);
  return new Map(rows.map((row) => [row.conversation_id, row]));
}

async function loadExclusions(
  sql: Sql,
  seen: readonly ConversationProgress[],
): Promise<Map<string, Exclusions>> {
  const needed = seen.filter(({ conversation }) => conversation.excluded_count > 0);
  const queries = needed.map(({ conversation, progress }) => ({
    appId: progress.row.app_id,
    conversationId: conversation.id,
    firstBlock: bitmapOf(countedFrom(conversation, progress) + 1),
  }));
  const exclusions = queries.length > 0 ? await listExclusions(sql, queries) : [];
  return new Map(
    [...Map.groupBy(exclusions, (row) => row.conversation_id)].map(([id, rows]) => [
      id,
      new Map(rows.map((row) => [row.block, row])),
    ]),
  );
}

// For a user who sees the whole conversation, deleted messages below the read watermark need not be counted one by one.
function countedFrom({ head }: ShownConversationRow, progress: Progress): number {
  const until = firstSeenOf(progress) - 1;
  return until === 0 && progress.unseen.length === 0 && limitOf(progress, head) === head
    ? floorOf(progress)
    : Math.min(until, floorOf(progress));
}
