import { create } from '@bufbuild/protobuf';
import { ConversationReceiptsSchema, ReceiptStateSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { noBits, withBit } from './bits.ts';
import { recipientStatus, statusOf } from './receipts.ts';
import { basicIdentity, sampleMessage } from './testing/samples.ts';

const state = create(ReceiptStateSchema, {
  userId: 'bob',
  member: [
    { first: 1, last: 10 },
    { first: 300, last: 0 },
  ],
  readUntil: 4,
  deliveredUntil: 6,
  blocks: [
    { block: 0, read: withBit(noBits(), 8), delivered: withBit(noBits(), 9) },
    { block: 1, read: new Uint8Array(), delivered: withBit(noBits(), 301 - 256) },
  ],
});

test.each([
  [0, undefined],
  [1, 'read'],
  [4, 'read'],
  [5, 'delivered'],
  [6, 'delivered'],
  [7, 'sent'],
  [8, 'read'],
  [9, 'delivered'],
  [10, 'sent'],
  [11, undefined],
  [299, undefined],
  [300, 'sent'],
  [301, 'delivered'],
  [9000, 'sent'],
])('position %i is %s', (position, status) => {
  expect(statusOf(state, position)).toBe(status);
});

test('names those to whom the message was sent, and the sender as having read it', () => {
  const alice = create(ReceiptStateSchema, { userId: 'alice', member: [{ first: 1, last: 0 }] });
  const late = create(ReceiptStateSchema, { userId: 'late', member: [{ first: 8, last: 0 }] });
  const receipts = create(ConversationReceiptsSchema, { states: [alice, state, late] });
  expect([...recipientStatus(receipts, sampleMessage())]).toEqual([
    ['alice', 'read'],
    ['bob', 'sent'],
  ]);
});

test('a bot that does not take part has read what it sent', () => {
  const message = sampleMessage({ sender: basicIdentity('bot') });
  expect([...recipientStatus(undefined, message)]).toEqual([['bot', 'read']]);
});
