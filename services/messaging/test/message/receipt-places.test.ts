import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { createRoom, send, unreadCount, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let replicas: [TestMessaging, TestMessaging];
beforeAll(async () => {
  const first = await startMessaging();
  replicas = [first, await startMessaging({ env: { PARLEY_DATABASE_URL: first.ctx.config.databaseUrl } })];
});
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.stop();
});

/** Reads a message whose place the caller knows. */
async function read({ messaging }: TestMessaging, { appId }: Room, userId: string, message: Message) {
  const { id: messageId, conversationId, position, sender } = message;
  const place = { conversationId, position, senderId: sender!.userId };
  const item = { appId, userId, messageId, type: ReceiptType.READ, place };
  const { results } = await messaging.recordReceipts({ items: [item] });
  expect(results[0]?.problem).toBeUndefined();
}

/** The unread count that the last event of the conversation names. */
async function lastNamedCount({ ctx }: TestMessaging, { appId, conversationId }: Room): Promise<number> {
  const [row] = await ctx.db.query<{ event: Uint8Array }>({
    text: 'select event from change where app_id = $1 and conversation_id = $2 order by seq desc limit 1',
    values: [appId, conversationId],
  });
  const { body } = fromBinary(EventSchema, row!.event);
  if (body.case !== 'receiptRecorded') throw new Error(`the last event is ${body.case}`);
  return body.value.unreadMessageCount;
}

test('a receipt for a message whose place the caller knows is recorded', async () => {
  const [service] = replicas;
  const room = await createRoom(service, ['ann', 'bob']);
  const message = await send(service, room, 'ann');
  await send(service, room, 'ann');
  await read(service, room, 'bob', message);
  expect(await unreadCount(service, room, 'bob')).toBe(1);
});

test('its event counts no message of low significance that another replica has stored since', async () => {
  const [first, second] = replicas;
  const room = await createRoom(first, ['ann', 'bob']);
  const message = await send(first, room, 'ann');
  expect(first.ctx.conversationCache.find(room.appId, room.conversationId)?.row.excluded_count).toBe(0);
  await send(second, room, 'ann', { low: true });
  await read(first, room, 'bob', message);
  expect(await lastNamedCount(first, room)).toBe(0);
});
