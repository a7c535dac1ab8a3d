import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { RestoredMessage_Recipient as Recipient } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import {
  markDelivered,
  markSent,
  markRead,
  type ConversationPositions,
} from '../../read-state/mark-progress.ts';
import type { Progress } from '../../read-state/progress.ts';
import { contains, type Range } from '../../read-state/ranges.ts';

/**
 * Applies the recipients of the newest message: who received it and who has read it. A participant who is not among
 * them was not a member at that position.
 */
export function applyRecipients(
  progresses: readonly Progress[],
  { position, sender }: Message,
  recipients: readonly Recipient[],
  positions: ConversationPositions,
): void {
  const byUser = new Map(recipients.map((recipient) => [recipient.userId, recipient]));
  for (const progress of progresses) {
    const recipient = byUser.get(progress.row.user_id);
    const isSender = progress.row.user_id === sender?.userId;
    const isMember = recipient !== undefined && (!isSender || wasMember(progress, position));
    progress.member = isMember
      ? withPosition(progress, position)
      : withoutPosition(progress.member, position);
    if (isMember && progress.row.left_seq !== null) progress.row.left_head = position;
    if (isMember) applyReceipt(progress, { position, isSender, recipient }, positions);
  }
}

type RecipientReceipt = { position: number; isSender: boolean; recipient: Recipient };

function applyReceipt(
  progress: Progress,
  { position, isSender, recipient }: RecipientReceipt,
  positions: ConversationPositions,
): void {
  if (isSender) markSent(progress, { position, low: false });
  else if (recipient.read) markRead(progress, position, positions);
  else if (recipient.delivered) markDelivered(progress, position, positions);
}

// Only the messages of other senders show whether a sender took part, or was a bot outside of the conversation.
function wasMember({ row, member }: Progress, position: number): boolean {
  return row.left_seq === null || contains(member, position - 1);
}

function withPosition({ row, member }: Progress, position: number): Range[] {
  if (contains(member, position)) return member;
  const last = row.left_seq === null ? Infinity : position;
  const end = member.at(-1);
  if (end && end.last === position - 1) return [...member.slice(0, -1), { first: end.first, last }];
  return [...member, { first: position, last }];
}

function withoutPosition(member: readonly Range[], position: number): Range[] {
  return member.flatMap(({ first, last }) => {
    if (position < first || position > last) return [{ first, last }];
    const parts: Range[] = [];
    if (first < position) parts.push({ first, last: position - 1 });
    if (last > position) parts.push({ first: position + 1, last });
    return parts;
  });
}
