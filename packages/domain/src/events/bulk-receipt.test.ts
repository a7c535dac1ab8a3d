import { create } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { readReceiptOf, spansAfter } from './bulk-receipt.ts';
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

test('the receipt of one message has the same id each time, and another one than that of another message', () => {
  const event = create(EventSchema, { id: newId(), appId: newId(), conversationId: newId() });
  const receiptFor = (messageId: string) => readReceiptOf(event, { userId: 'bob', messageId, position: 3 });
  const [message, other] = [newId(), newId()];
  expect(receiptFor(message)).toEqual(receiptFor(message));
  expect(receiptFor(message).id).not.toBe(receiptFor(other).id);
  expect(receiptFor(message)).toMatchObject({
    appId: event.appId,
    body: { case: 'receiptRecorded', value: { userId: 'bob', messageId: message, position: 3 } },
  });
});
