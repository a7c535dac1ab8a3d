import { create } from '@parley/codec';
import { ReceiptRecordedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { derivedId } from '../derived-id.ts';

/** Consecutive positions; `last` 0: open-ended. */
export type PositionSpan = { first: number; last: number };

/** A receipt of every message in some spans, which are expanded page by page. */
export type BulkReceipt = {
  type: ReceiptType;
  userId: string;
  /** Position up to which the user has read, or received. */
  position: number;
  /** The positions whose status this changed. */
  spans: readonly PositionSpan[];
  /** Senders of messages up to `position`, some of which may lack the status. */
  unmarkedSenderIds: readonly string[];
  /** Id of the request that caused it; empty: it had none. */
  requestId: string;
};

/** The bulk receipt in an event; undefined for other events. */
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

/** A message covered by a bulk receipt; `senderUserId` is absent if unknown. */
export type MarkedMessage = { messageId: string; position: number; senderUserId?: string };

/** The receipt of one message, as an event whose id is the same each time it is derived from the bulk receipt's event. */
export function receiptOfMessage(
  event: Event,
  { type, userId }: Pick<BulkReceipt, 'type' | 'userId'>,
  message: MarkedMessage,
): Event {
  const value = create(ReceiptRecordedSchema, { type, userId, ...message });
  return { ...event, id: derivedId(event.id, message.messageId), body: { case: 'receiptRecorded', value } };
}
