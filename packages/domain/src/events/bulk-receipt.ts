import { create } from '@parley/codec';
import { ReceiptRecordedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { derivedId } from '../derived-id.ts';

/** Positions in a row; `last` 0: without an end. */
export type PositionSpan = { first: number; last: number };

/** A receipt of every message in some spans, which are expanded page by page. */
export type BulkReceipt = {
  type: ReceiptType;
  userId: string;
  /** Up to where the user has read, or received. */
  position: number;
  /** The positions that this gave their status. */
  spans: readonly PositionSpan[];
  /** Senders of messages up to `position` that may not have it. */
  unmarkedSenderIds: readonly string[];
  /** Id of the request that asked for it; empty: it had none. */
  requestId: string;
};

/** The bulk receipt that an event is; undefined: it is another event. */
export function bulkReceiptOf({ body }: Pick<Event, 'body'>): BulkReceipt | undefined {
  if (body.case === 'allRead') {
    const { userId, position, newlyRead, unreadSenderIds, requestId } = body.value;
    const names = { unmarkedSenderIds: unreadSenderIds, requestId };
    return { type: ReceiptType.READ, userId, position, spans: newlyRead, ...names };
  }
  if (body.case === 'allDelivered') {
    const { userId, position, newlyDelivered, undeliveredSenderIds, requestId } = body.value;
    const names = { unmarkedSenderIds: undeliveredSenderIds, requestId };
    return { type: ReceiptType.DELIVERY, userId, position, spans: newlyDelivered, ...names };
  }
  return undefined;
}

/** The part of some spans that lies after a position. */
export function spansAfter(spans: readonly PositionSpan[], position: number): PositionSpan[] {
  return spans
    .filter(({ last }) => last === 0 || last > position)
    .map(({ first, last }) => ({ first: Math.max(first, position + 1), last }));
}

/** One of the messages of a bulk receipt; `senderUserId` is absent when it is not known. */
export type MarkedMessage = { messageId: string; position: number; senderUserId?: string };

/** The receipt of one message, as an event whose id is the same each time it is derived from the event of a bulk receipt. */
export function receiptOfMessage(
  event: Event,
  { type, userId }: Pick<BulkReceipt, 'type' | 'userId'>,
  message: MarkedMessage,
): Event {
  const value = create(ReceiptRecordedSchema, { type, userId, ...message });
  return { ...event, id: derivedId(event.id, message.messageId), body: { case: 'receiptRecorded', value } };
}
