import { noBits, withBit } from '@parley/domain/bits';
import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { RestoredMessage } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { bitOf, bitmapOf } from '../../read-state/bitmap.ts';
import type { ExclusionBitmaps } from '../../read-state/exclusions.ts';
import { progressStatements } from '../../read-state/save-progress.ts';
import { formatRanges } from '../../read-state/ranges.ts';
import { upsertConversationBitmaps } from '../../sql/read-state/conversation-bitmap.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { markSideTable } from '../../sql/conversation/side-tables.ts';
import { listExclusions } from '../../sql/read-state/exclusion.ts';
import { insertRestoredMessages as insertRestored, updateMemberships } from '../../sql/transfer/import.ts';
import type { MessageRow } from '../../sql/message/message.ts';
import { insertOutsideSenders } from '../../sql/message/outside-sender.ts';
import { write } from '../../sql/statement.ts';
import { encodeBody } from '../../message/body.ts';
import { applyRecipients, membersOf } from './apply-recipients.ts';
import { takeGap, type Gaps } from './gaps.ts';
import { loadRecipients } from './load-recipients.ts';
import { restoreReactions } from './restore-reactions.ts';

type Restoring = {
  conversation: ConversationRow;
  exclusions: Map<number, ExclusionBitmaps>;
  changedBlocks: Set<number>;
};

/**
 * Adds the messages beyond the head of a locked conversation, at their old positions. Positions between them count as
 * deleted messages. Emits no events. Problems: not_found, invalid_property (position).
 */
export async function restoreMessages(
  tx: Tx,
  conversation: ConversationRow | undefined,
  { messages, gaps }: { messages: readonly RestoredMessage[]; gaps: Gaps },
): Promise<void> {
  if (!conversation) return failNotFound('conversation', messages[0]?.message?.conversationId ?? null);
  const { app_id: appId, id: conversationId } = conversation;
  const ref = { appId, conversationId };
  const key = { app_id: appId, conversation_id: conversationId };
  const fresh = messages
    .filter(({ message }) => message && message.position > conversation.head)
    .sort((one, other) => positionOf(one) - positionOf(other));
  if (fresh.length === 0) return;
  takeGap(gaps, { from: conversation.head, positions: fresh.map(positionOf) });
  const blocks = await listExclusions(tx, [{ ...ref, firstBlock: 0 }]);
  const exclusions = new Map(blocks.map((row) => [row.block, { low: row.low, deleted: row.deleted }]));
  const restoring: Restoring = { conversation, exclusions, changedBlocks: new Set() };
  const progresses = await loadRecipients(tx, { ...ref, hasExclusions: blocks.length > 0 }, fresh);
  const members = membersOf(progresses, conversation.head);
  const rows: MessageRow[] = [];
  for (const { message, recipients } of fresh) {
    if (!message) continue;
    markDeleted(restoring, message.shadowed ? message.position + 1 : message.position);
    conversation.head = message.position;
    if (!message.shadowed) {
      conversation.last_message_at = message.sentAt;
      applyRecipients(members, message, recipients, { head: message.position, exclusions });
    }
    rows.push(toRow(key, message));
  }
  await write(tx, [
    insertRestored(rows),
    updateConversations([conversation]),
    upsertConversationBitmaps(
      [...restoring.changedBlocks].map((block) => ({ ...key, block, ...exclusions.get(block)! })),
    ),
    ...progressStatements([...progresses.values()]),
  ]);
  const memberships = [...progresses.values()].map(({ row, member }) => ({
    ...key,
    user_id: row.user_id,
    member: formatRanges(member),
    left_head: row.left_head,
  }));
  await write(tx, [updateMemberships(memberships)]);
  if (rows.some(({ shadowed }) => shadowed)) await markSideTable(tx, conversation, 'shadow');
  await restoreReactions(tx, conversation, fresh);
  const userIds = new Set([...rows.map(({ sender_id }) => sender_id), ...reactingIn(fresh)]);
  const outside = [...userIds].map((userId) => ({ ...ref, userId }));
  await insertOutsideSenders(tx, outside);
}

/** User ids that an erasure must find, although they may never have taken part. */
function reactingIn(messages: readonly RestoredMessage[]): string[] {
  return messages.flatMap(({ message }) => (message?.reactions ?? []).flatMap(({ userIds }) => userIds));
}

function positionOf({ message }: RestoredMessage): number {
  return message?.position ?? 0;
}

function markDeleted({ conversation, exclusions, changedBlocks }: Restoring, until: number): void {
  for (let position = conversation.head + 1; position < until; position++) {
    const number = bitmapOf(position);
    const block = exclusions.get(number) ?? { low: noBits(), deleted: noBits() };
    exclusions.set(number, { ...block, deleted: withBit(block.deleted, bitOf(position)) });
    changedBlocks.add(number);
    conversation.deleted_count += 1;
    conversation.excluded_count += 1;
  }
}

function toRow(key: { app_id: string; conversation_id: string }, message: Message): MessageRow {
  return {
    ...key,
    position: message.position,
    id: message.id,
    request_id: null,
    sender_id: message.sender?.userId ?? '',
    sent_at: message.sentAt,
    updated_at: message.updatedAt ?? null,
    low: false,
    body: encodeBody(message),
    deleted_at: message.shadowed ? message.sentAt : null,
    shadowed: message.shadowed,
    deleted_by: null,
    incarnation: null,
  };
}
