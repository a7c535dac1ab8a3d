import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { bulkReceiptOf, receiptOfMessage, spansAfter } from './bulk-receipt.ts';
import { newId } from '../ids.ts';

test('spans after a position begin behind it, and spans without an end stay', () => {
  const spans = [
    { first: 1, last: 4 },
    { first: 6, last: 9 },
    { first: 12, last: 0 },
  ];
  expect(spansAfter(spans, 0)).toEqual(spans);
  expect(spansAfter(spans, 4)).toEqual(spans.slice(1));
  expect(spansAfter(spans, 7)).toEqual([
    { first: 8, last: 9 },
    { first: 12, last: 0 },
  ]);
  expect(spansAfter(spans, 20)).toEqual([{ first: 21, last: 0 }]);
});

function eventOf(body: MessageInitShape<typeof EventSchema>['body']) {
  return create(EventSchema, { id: newId(), appId: newId(), conversationId: newId(), body: body! });
}

test('a read and a delivery of many messages say the same of them, with another type', () => {
  const [span] = [{ first: 2, last: 4 }];
  const common = { userId: 'bob', position: 4, requestId: 'r' };
  const read = eventOf({
    case: 'allRead',
    value: { ...common, newlyRead: [span], unreadSenderIds: ['ann'] },
  });
  const delivered = eventOf({
    case: 'allDelivered',
    value: { ...common, newlyDelivered: [span], undeliveredSenderIds: ['ann'] },
  });
  expect(bulkReceiptOf(read)).toMatchObject({ ...common, type: ReceiptType.READ, spans: [span] });
  expect(bulkReceiptOf(delivered)).toMatchObject({ ...common, type: ReceiptType.DELIVERY, spans: [span] });
  for (const event of [read, delivered]) expect(bulkReceiptOf(event)?.unmarkedSenderIds).toEqual(['ann']);
  expect(bulkReceiptOf(eventOf({ case: 'messageCreated', value: {} }))).toBeUndefined();
});

test('the receipt of one message has the same id each time, and another one than that of another message', () => {
  const event = eventOf(undefined);
  const receiptFor = (messageId: string) =>
    receiptOfMessage(event, { type: ReceiptType.READ, userId: 'bob' }, { messageId, position: 3 });
  const [message, other] = [newId(), newId()];
  expect(receiptFor(message)).toEqual(receiptFor(message));
  expect(receiptFor(message).id).not.toBe(receiptFor(other).id);
  expect(receiptFor(message)).toMatchObject({
    appId: event.appId,
    body: { case: 'receiptRecorded', value: { userId: 'bob', messageId: message, position: 3 } },
  });
});
