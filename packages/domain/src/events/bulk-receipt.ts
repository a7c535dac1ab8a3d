import { create } from '@parley/codec';
import { ReceiptRecordedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { derivedId } from '../derived-id.ts';

// An event `allRead` stands for a read receipt of every message in its spans, which are expanded page by page.

/** Positions in a row; `last` 0: without an end. */
export type PositionSpan = { first: number; last: number };

/** The part of some spans that lies after a position. */
export function spansAfter(spans: readonly PositionSpan[], position: number): PositionSpan[] {
  return spans
    .filter(({ last }) => last === 0 || last > position)
    .map(({ first, last }) => ({ first: Math.max(first, position + 1), last }));
}

/** One of the messages that were read; `senderUserId` is absent when it is not known. */
export type ReadMessage = { userId: string; messageId: string; position: number; senderUserId?: string };

/** The read receipt of one message, as an event whose id is the same each time it is derived from `event`. */
export function readReceiptOf(event: Event, message: ReadMessage): Event {
  const value = create(ReceiptRecordedSchema, { type: ReceiptType.READ, ...message });
  return { ...event, id: derivedId(event.id, message.messageId), body: { case: 'receiptRecorded', value } };
}
