import { randomUUID } from 'node:crypto';
import { create, fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import {
  DeletionMode,
  RecordReceiptsRequestSchema,
  type RecordReceiptsRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createReceiptBatcher } from '../../src/read-state/record/batcher.ts';
import { recordReceipts } from '../../src/rpc/record-receipts.ts';
import { createRoom, nameOf, send, unreadCount, type Room } from '../support/actions.ts';
import { measure } from '../support/cost.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let replicas: [TestMessaging, TestMessaging];
beforeAll(async () => {
  const first = await startMessaging();
  replicas = [first, await startMessaging({ env: { PARLEY_DATABASE_URL: first.ctx.config.databaseUrl } })];
});
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.stop();
});

type Place = { conversationId: string; position: number; senderId: string };

function placeOf({ conversationId, position, sender }: Message): Place {
  return { conversationId, position, senderId: sender!.userId };
}

/** Reads a message whose place the caller knows. Returns the problem. */
async function tryRead(
  { messaging }: TestMessaging,
  { appId }: Room,
  userId: string,
  { id: messageId, place }: { id: string; place: Place },
): Promise<string | undefined> {
  const item = { appId, userId, messageId, type: ReceiptType.READ, place };
  const { results } = await messaging.recordReceipts({ items: [item] });
  const problem = results[0]?.problem;
  return problem && nameOf(problem);
}

async function read(service: TestMessaging, room: Room, userId: string, message: Message) {
  expect(await tryRead(service, room, userId, { id: message.id, place: placeOf(message) })).toBeUndefined();
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

test('a receipt for a message whose place the caller knows is recorded without a look-up', async () => {
  const [service] = replicas;
  const room = await createRoom(service, ['ann', 'bob']);
  const message = await send(service, room, 'ann');
  await send(service, room, 'ann');
  const item = { appId: room.appId, userId: 'bob', messageId: message.id, type: ReceiptType.READ };
  const request = (place?: Place) =>
    create(RecordReceiptsRequestSchema, { items: [{ ...item, ...(place && { place }) }] });
  const record = (given: RecordReceiptsRequest) =>
    measure(service.ctx, async (ctx) => {
      const batcher = createReceiptBatcher(ctx);
      expect(await recordReceipts({ sending: { ctx, receipts: batcher } }, given)).toEqual({ results: [{}] });
      await batcher.stop();
    });
  await expect(record(request())).rejects.toThrow('a statement outside of a transaction');
  expect(await unreadCount(service, room, 'bob')).toBe(2);
  await record(request(placeOf(message)));
  expect(await unreadCount(service, room, 'bob')).toBe(1);
});

test.each<[string, string, (place: Place) => Partial<Place>]>([
  ['never took part', 'eve', () => ({})],
  ['names a conversation that does not exist', 'bob', () => ({ conversationId: randomUUID() })],
  ['names a position beyond the newest message', 'bob', ({ position }) => ({ position: position + 1 })],
])('a receipt of a user who %s is refused', async (_, userId, change) => {
  const [service] = replicas;
  const room = await createRoom(service, ['ann', 'bob']);
  const message = await send(service, room, 'ann');
  const place = { ...placeOf(message), ...change(placeOf(message)) };
  expect(await tryRead(service, room, userId, { id: message.id, place })).toBe('not_found');
});

test('a receipt for a message that is deleted, or of a user who was removed, is refused though its place is known', async () => {
  const [service] = replicas;
  const room = await createRoom(service, ['ann', 'bob', 'cat']);
  const [gone, kept] = [await send(service, room, 'ann'), await send(service, room, 'ann')];
  await service.messaging.deleteMessage({
    appId: room.appId,
    id: gone.id,
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  await service.messaging.updateConversation({
    appId: room.appId,
    id: room.conversationId,
    operations: [{ step: { case: 'removeParticipant', value: 'cat' } }],
  });
  expect(await tryRead(service, room, 'bob', { id: gone.id, place: placeOf(gone) })).toBe('not_found');
  expect(await tryRead(service, room, 'cat', { id: kept.id, place: placeOf(kept) })).toBe('access_denied');
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
