import type { Sql } from '@parley/kit/postgres';
import type { ConversationReceipts, Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { findLastPositions, type ConversationProgress } from './last-positions.ts';
import { toMessage } from '../message/record.ts';
import { attachAll } from '../reaction/attach.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { isUnread } from '../message/view.ts';
import { listReceipts } from '../read-state/receipts.ts';
import { participantRef } from '../sql/conversation/participant.ts';
import { listMessagesAtWithin } from '../sql/message/message-at.ts';
import type { ShadowedCount } from '../sql/message/shadowed.ts';

export type LastMessage = { message: Message; receipts: ConversationReceipts };

/**
 * The newest message that the user sees, with its receipts, by conversation id; each conversation must have one. `shadowed`: the shadowed messages that
 * the user sees, by conversation id. Reads
 * as many of the first conversations as fit into a budget in bytes, and at least one.
 */
export async function loadLastMessages(
  sql: Sql,
  seen: readonly ConversationProgress[],
  { budget, shadowed }: { budget: number; shadowed: ReadonlyMap<string, ShadowedCount> },
): Promise<Map<string, LastMessage>> {
  const positions = await findLastPositions(sql, seen);
  for (const [id, { newest }] of shadowed)
    if (newest !== null) positions.set(id, Math.max(newest, positions.get(id) ?? 0));
  const places = seen.flatMap(({ conversation, progress: { row } }) => {
    const position = positions.get(row.conversation_id);
    const reader = { asOf: row.left_seq, hasVersions: conversation.has_versions };
    return position === undefined ? [] : [{ ...participantRef(row), ...reader, position }];
  });
  if (places.length === 0) return new Map();
  const [rows, receipts] = await Promise.all([
    listMessagesAtWithin(sql, places, budget),
    listReceipts(
      sql,
      places.map((place) => ({ ...place, first: place.position, last: place.position })),
    ),
  ]);
  const receiptsOf = new Map(receipts.map((record) => [record.conversationId, record]));
  const participantOf = new Map(seen.map(({ conversation, progress }) => [conversation.id, progress.row]));
  const shown = new Map(rows.map((row) => [row.conversation_id, toMessage(row)]));
  await attachToLast(sql, seen, shown);
  return new Map(
    rows.map((row) => {
      const message = shown.get(row.conversation_id)!;
      const record = receiptsOf.get(row.conversation_id)!;
      message.isUnread = isUnread(record, participantOf.get(row.conversation_id)!, message);
      return [row.conversation_id, { message, receipts: record }];
    }),
  );
}

/** Adds the reactions to messages of conversations that have any. `shown`: by conversation id. */
async function attachToLast(
  sql: Sql,
  seen: readonly ConversationProgress[],
  shown: ReadonlyMap<string, Message>,
): Promise<void> {
  const marked = seen.filter(({ conversation }) => hasSideTable(conversation, 'reactions'));
  const reader = marked[0]?.progress.row;
  if (!reader) return;
  const reacted = marked.flatMap(({ conversation, progress }) => {
    const message = shown.get(conversation.id);
    return message ? [{ message, untilSeq: progress.row.left_seq }] : [];
  });
  await attachAll(sql, { appId: reader.app_id, userId: reader.user_id }, reacted);
}
