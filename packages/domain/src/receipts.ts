import type { RecipientStatus } from '@parley/contract/records/message';
import type {
  ConversationReceipts,
  Message,
  PositionRange,
  ReceiptBlock,
  ReceiptState,
} from '@parley/proto/parley/messaging/v1/message_pb';
import { BITS, hasBit } from './bits.ts';

export type { RecipientStatus };

/** Statuses by user id. */
export type RecipientStatuses = ReadonlyMap<string, RecipientStatus>;

/** Status of the message at a position for one participant; undefined when it was not sent to them. */
export function statusOf(state: ReceiptState, position: number): RecipientStatus | undefined {
  if (!isWithin(state.member, position)) return undefined;
  const block = blockAt(state, position);
  const bit = position % BITS;
  if (position <= state.readUntil || (block && hasBit(block.read, bit))) return 'read';
  if (position <= state.deliveredUntil || (block && hasBit(block.delivered, bit))) return 'delivered';
  return 'sent';
}

function isWithin(ranges: readonly PositionRange[], position: number): boolean {
  for (const { first, last } of ranges) {
    if (position >= first && (last === 0 || position <= last)) return true;
  }
  return false;
}

function blockAt({ blocks }: ReceiptState, position: number): ReceiptBlock | undefined {
  if (blocks.length === 0) return undefined;
  const number = Math.floor(position / BITS);
  return blocks.find(({ block }) => block === number);
}

/**
 * Statuses of all recipients, or of the sender alone where the type has no receipts; the sender, participant or not, has always read the
 * message. A shadowed message reaches nobody.
 */
export function recipientStatus(
  receipts: ConversationReceipts | undefined,
  message: Pick<Message, 'position' | 'sender'> & { shadowed?: boolean },
): Map<string, RecipientStatus> {
  const statuses = new Map<string, RecipientStatus>();
  for (const state of receipts?.off ? [] : (receipts?.states ?? [])) {
    const status = statusOf(state, message.position);
    if (status) statuses.set(state.userId, message.shadowed ? 'sent' : status);
  }
  if (message.sender) statuses.set(message.sender.userId, 'read');
  return statuses;
}
