import { create } from '@bufbuild/protobuf';
import { derivedId } from '@parley/domain/derived-id';
import { ReceiptRecordedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';

const PAGE_SIZE = 1000;

/** A receipt for each message that was read by all being read at once, each time with the same id. */
export async function* expandAllRead(
  { source }: Context,
  event: Event,
  signal: AbortSignal,
): AsyncGenerator<Event[]> {
  if (event.body.case !== 'allRead') return;
  const { userId, newlyRead } = event.body.value;
  const { appId, conversationId } = event;
  for (let after = 0; ;) {
    const positions = newlyRead
      .filter(({ last }) => last > after)
      .map(({ first, last }) => ({ first: Math.max(first, after + 1), last }));
    if (positions.length === 0) return;
    const request = { appId, conversationId, positions, pageSize: PAGE_SIZE };
    const { places } = await source.listMessagePlaces(request, { signal });
    yield places
      .filter(({ senderId }) => senderId !== userId)
      .map(({ id, position, senderId }) =>
        receiptOf(event, { userId, messageId: id, position, senderUserId: senderId }),
      );
    const last = places.at(-1);
    if (!last || places.length < PAGE_SIZE) return;
    after = last.position;
  }
}

type ReadMessage = { userId: string; messageId: string; position: number; senderUserId: string };

function receiptOf(event: Event, read: ReadMessage): Event {
  const value = create(ReceiptRecordedSchema, { type: ReceiptType.READ, ...read });
  return { ...event, id: derivedId(event.id, read.messageId), body: { case: 'receiptRecorded', value } };
}
