import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { RestoredMessage_Recipient as Recipient } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import {
  markDelivered,
  markSent,
  markRead,
  type ConversationPositions,
} from '../../read-state/mark-progress.ts';
import type { Progress } from '../../read-state/progress.ts';
import { indexFrom, type Range } from '../../read-state/ranges.ts';

/** The progress, by user id, of all whom the messages concern, and those of them who take part after the messages so far. */
export type Members = { all: ReadonlyMap<string, Progress>; present: Set<Progress> };

/** `head`: the last position before the first message. */
export function membersOf(all: ReadonlyMap<string, Progress>, head: number): Members {
  return { all, present: new Set([...all.values()].filter((progress) => isPresent(progress, head + 1))) };
}

/**
 * Applies the recipients of the newest message: who received it and who has read it. A participant who is not among
 * them was not a member at that position. Takes time in proportion to the recipients and to those who take part.
 */
export function applyRecipients(
  members: Members,
  { position, sender }: Message,
  recipients: readonly Recipient[],
  positions: ConversationPositions,
): void {
  const { all, present } = members;
  const byUser = new Map(recipients.map((recipient) => [recipient.userId, recipient]));
  const concerned = new Set(present);
  for (const userId of byUser.keys()) {
    const progress = all.get(userId);
    if (progress) concerned.add(progress);
  }
  for (const progress of concerned) {
    const recipient = byUser.get(progress.row.user_id);
    const isSender = progress.row.user_id === sender?.userId;
    const isMember = recipient !== undefined && (!isSender || wasMember(progress, position));
    if (isMember) addPosition(progress, position);
    else removePosition(progress, position);
    if (isMember && progress.row.left_seq !== null) progress.row.left_head = position;
    if (isMember) applyReceipt(progress, { position, isSender, recipient }, positions);
    if (isPresent(progress, position + 1)) present.add(progress);
    else present.delete(progress);
  }
}

/** Whether the user's last range reaches the position. A position beyond it is not in the user's time, unless it is added. */
function isPresent({ member }: Progress, position: number): boolean {
  return (member.at(-1)?.last ?? 0) >= position;
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
  if (row.left_seq === null) return true;
  const range = member.findLast(({ first }) => first < position);
  return range !== undefined && range.last >= position - 1;
}

// Positions come in ascending order, so that nearly always the last range is the one that changes, in place.
function addPosition({ row, member }: Progress, position: number): void {
  const index = indexFrom(member, position);
  const next = member[index];
  if (next && next.first <= position) return;
  const last = row.left_seq === null && !next ? Infinity : position;
  const before = member[index - 1];
  if (before && before.last === position - 1) before.last = last;
  else member.splice(index, 0, { first: position, last });
}

function removePosition({ member }: Progress, position: number): void {
  const index = indexFrom(member, position);
  const range = member[index];
  if (range && range.first <= position) member.splice(index, 1, ...without(range, position));
}

/** The parts of a range besides a position in it. */
function without({ first, last }: Range, position: number): Range[] {
  const parts: Range[] = [];
  if (first < position) parts.push({ first, last: position - 1 });
  if (last > position) parts.push({ first: position + 1, last });
  return parts;
}
