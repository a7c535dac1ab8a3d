import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { conversationKey } from '../sql/keys.ts';
import { listIdsWithin } from '../sql/message/message-ids.ts';
import {
  deleteReactionCountsOf,
  listReactionCounts,
  type ReactionCountRow,
} from '../sql/message/reaction-count.ts';
import {
  deleteReactions,
  forgetPushedReactions,
  listErasedReactions,
  type ReactionRow,
} from '../sql/message/reaction.ts';
import { write } from '../sql/statement.ts';
import { keyOfMessage } from './load.ts';
import type { MessageReactions } from './plan.ts';
import { writeReactionsWithin } from './write.ts';

type ErasedPerson = { userId: string; version: number; limit: number };

/**
 * Takes back reactions of an erased person in a locked conversation, at most `limit`; counts follow, and the others are told of these alone.
 * Returns whether there may be more.
 */
export async function eraseReactions(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  person: ErasedPerson,
): Promise<boolean> {
  if (!hasSideTable(conversation, 'reactions')) return false;
  const rows = await listErasedReactions(tx, conversation, person);
  if (conversation.deleted_at !== null) await deleteAll(tx, rows);
  else if (rows.length > 0) await takeBackAll(ctx, tx, conversation, rows);
  if (rows.length === person.limit) return true;
  await forgetPushedReactions(tx, conversation, person);
  return false;
}

/** Deletes reactions to messages that nobody sees, and their counts: these list the ids of the newest users who reacted. */
async function deleteAll(tx: Tx, rows: readonly ReactionRow[]): Promise<void> {
  await write(tx, [deleteReactions(rows), deleteReactionCountsOf(rows)]);
}

async function takeBackAll(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  rows: readonly ReactionRow[],
): Promise<void> {
  const { app_id: appId, id: conversationId } = conversation;
  const positions = [...new Set(rows.map(({ position }) => position))];
  const [ids, stored] = await Promise.all([
    listIdsWithin(tx, {
      appId,
      conversationId,
      positions: positions.map((position) => ({ first: position, last: position })),
      senderId: null,
      limit: positions.length,
    }),
    listReactionCounts(
      tx,
      positions.map((position) => ({ appId, conversationId, position })),
    ),
  ]);
  const found = new Set(ids.map(({ position }) => position));
  const gone = rows.filter(({ position }) => !found.has(position));
  await deleteAll(tx, gone);
  const messages = new Map<string, MessageReactions>();
  for (const { id, position, senderId: sender_id } of ids) {
    const place = { app_id: appId, id, conversation_id: conversationId, position, sender_id };
    const own = rows.filter((row) => row.position === position);
    const before = stored.filter((row) => row.position === position);
    messages.set(keyOfMessage(place), {
      place,
      own: new Map(),
      counts: countsWithout(before, own),
      changes: own.map((row) => ({ row, user: undefined, removed: true })),
      pushes: new Map(),
    });
  }
  const counts = new Map(
    [...Map.groupBy(stored, keyOfMessage)].map(([key, some]) => [
      key,
      new Map(some.map((row) => [row.key, row])),
    ]),
  );
  await writeReactionsWithin(ctx, tx, {
    messages,
    counts,
    pushed: new Set(),
    conversations: new Map([[conversationKey(appId, conversationId), conversation]]),
    isAwaited: () => false,
  });
}

function countsWithout(
  before: readonly ReactionCountRow[],
  own: readonly ReactionRow[],
): Map<string, number> {
  const counts = new Map(before.map((row) => [row.key, row.count]));
  for (const { key } of own) counts.set(key, (counts.get(key) ?? 1) - 1);
  return counts;
}
