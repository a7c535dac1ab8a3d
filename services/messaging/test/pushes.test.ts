import { randomUUID } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { recordLeases } from '@parley/kit/testing/leases';
import {
  EventBatchSchema,
  EventSchema,
  type Event,
  type PushRequested,
} from '@parley/proto/parley/event/v1/event_pb';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { until } from '@parley/testing';
import { insertPushOrders } from '../src/sql/push/push-order.ts';
import { createRoom, send, type Room } from './support/actions.ts';
import { react } from './support/reactions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
let room: Room;
let events: Event[];
let subscription: { close(): void };

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

beforeEach(async () => {
  room = await createRoom(service, ['phone-ann', 'phone-bob', 'phone-cem', 'dan']);
  events = [];
  const { bus } = service.ctx;
  subscription = bus.subscribeLive(
    `event.${room.appId}.push.requested`,
    (payload) => void events.push(...fromBinary(EventBatchSchema, payload).events),
  );
  await bus.flush();
});
afterEach(() => subscription.close());

const notification = { title: 'Ann', text: 'hello', sound: 'ping.aiff' };

function pushes(): PushRequested[] {
  return events.flatMap(({ body }) => (body.case === 'pushRequested' ? [body.value] : []));
}

async function untilPushed(userIds: string[]): Promise<PushRequested[]> {
  const what = `${userIds.join(', ')} are pushed to`;
  await until(() => pushes().length >= userIds.length || undefined, { withinMs: 30_000, what });
  expect(
    pushes()
      .map(({ userId }) => userId)
      .toSorted(),
  ).toEqual(userIds.toSorted());
  return pushes();
}

test('a message with a notification is pushed to recipients who have a device, with their badge', async () => {
  await send(service, room, 'phone-ann');
  const message = await send(service, room, 'phone-ann', { notification });
  const [push] = await untilPushed(['phone-bob', 'phone-cem']);
  expect(push).toMatchObject({
    notification,
    messageId: message.id,
    conversationId: room.conversationId,
    tokens: [{ deviceId: 'one', type: 'apns' }],
    badge: { unreadConversationCount: 1, unreadMessageCount: 2, externalUnreadCount: 5 },
  });
});

test('a push says whether another service awaits its result', async () => {
  const insert = {
    text: `insert into event_interest (app_id, consumer) values ($1, 'webhook')`,
    values: [room.appId],
  };
  await service.ctx.db.execute({
    text: 'delete from event_interest where app_id = any ($1::uuid[])',
    values: [[NIL_UUID, room.appId]],
  });
  await send(service, room, 'phone-ann', { notification });
  const before = await untilPushed(['phone-bob', 'phone-cem']);
  expect(before.map(({ isAwaited }) => isAwaited)).toEqual([false, false]);
  await service.ctx.db.execute(insert);
  await send(service, room, 'phone-bob', { notification });
  const all = await untilPushed(['phone-ann', 'phone-bob', 'phone-cem', 'phone-cem']);
  expect(
    all
      .filter(({ isAwaited }) => isAwaited)
      .map(({ userId }) => userId)
      .toSorted(),
  ).toEqual(['phone-ann', 'phone-cem']);
});

test('nothing is pushed without a notification, with low significance, or to a user who blocks the sender', async () => {
  await service.ctx.db.execute({
    text: `insert into block_copy (app_id, blocked_user_id, owner_user_id) values ($1, 'phone-ann', 'phone-bob')`,
    values: [room.appId],
  });
  await send(service, room, 'phone-ann');
  await send(service, room, 'phone-ann', { notification, low: true });
  await send(service, room, 'phone-ann', { notification, contraryUserIds: ['phone-cem'] });
  await send(service, room, 'phone-ann', {
    notification,
    low: true,
    contraryUserIds: ['phone-cem', 'phone-bob'],
  });
  // Orders are stored in order: once the last one is pushed, earlier ones are pushed or waiting.
  const last = await send(service, room, 'phone-cem', { notification });
  await until(() => pushes().some(({ messageId }) => messageId === last.id) || undefined, {
    withinMs: 20_000,
    what: 'the last message is pushed',
  });
  const waiting = { text: 'select from push_order where app_id = $1', values: [room.appId] };
  await until(async () => (await service.ctx.db.execute(waiting)) === 0 || undefined, {
    withinMs: 20_000,
    what: 'no push is left to be made',
  });
  const published = { text: 'select from outbox' };
  await until(async () => (await service.ctx.db.execute(published)) === 0 || undefined, {
    withinMs: 20_000,
    what: 'all are published',
  });
  await service.ctx.bus.flush();
  const earlier = pushes().filter(({ messageId }) => messageId !== last.id);
  expect(earlier.map(({ userId }) => userId)).toEqual(['phone-cem']);
});

test('a redelivered event is pushed once', async () => {
  await send(service, room, 'phone-ann', { notification });
  await untilPushed(['phone-bob', 'phone-cem']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2);
});

test('a notification without a message is pushed to all named users with a device, once for each operation', async () => {
  const { appId } = room;
  const request = { appId, userIds: ['phone-ann', 'phone-bob', 'dan', 'nobody'], notification };
  const headers = { 'x-operation-id': randomUUID() };
  await Promise.all([
    service.notifications.requestNotification(request, { headers }),
    service.notifications.requestNotification(request, { headers }),
  ]);
  await service.notifications.requestNotification({ ...request, userIds: ['phone-cem'] });
  const [push] = await untilPushed(['phone-ann', 'phone-bob', 'phone-cem']);
  expect(push).toMatchObject({
    notification,
    messageId: '',
    badge: { unreadMessageCount: 0, externalUnreadCount: 5 },
  });
});

test('pushes are made a page of recipients at a time, in turn with those of other applications', async () => {
  const leases = await recordLeases(service.ctx.db, 'push_order');
  const busy = randomUUID();
  // The busy application's users have no devices, which saves time.
  const recipients = Array.from({ length: 300 }, (_, number) => `user-${number}`);
  const orders = Array.from({ length: 21 }, (_, index) => {
    const appId = index < 20 ? busy : room.appId;
    const userIds = appId === busy ? recipients : ['phone-0', 'phone-1'];
    const body = { case: 'notificationRequested' as const, value: { userIds, notification } };
    const event = create(EventSchema, { id: randomUUID(), appId, body });
    return { appId, eventId: event.id, event: toBinary(EventSchema, event) };
  });
  await insertPushOrders(service.ctx.db, orders);
  await untilPushed(['phone-0', 'phone-1']);
  const waiting = { text: 'select from push_order' };
  await until(async () => (await service.ctx.db.execute(waiting)) === 0 || undefined, {
    withinMs: 40_000,
    what: 'all pushes are made',
  });
  expect(await leases.of(busy)).toHaveLength(40);
  // The number of concurrent steps.
  await leases.expectTurn(room.appId, busy, 4);
}, 60_000);

test('a reaction with a notification is pushed to the sender of the message, once for each user', async () => {
  const message = await send(service, room, 'phone-ann');
  const target = { appId: room.appId, messageId: message.id };
  const options = { notification: { text: 'likes it' } };
  expect(await react(service, target, 'phone-bob', '👍', options)).toBe('done');
  const [push] = await untilPushed(['phone-ann']);
  expect(push).toMatchObject({
    notification: { text: 'likes it' },
    messageId: '',
    data: { type: 'reaction', conversation_id: room.conversationId, message_id: message.id, key: '👍' },
  });
  await react(service, target, 'phone-bob', '👍', { remove: true });
  for (const key of ['👍', '🎉']) await react(service, target, 'phone-bob', key, options);
  expect(await react(service, target, 'phone-ann', '👍', options)).toBe('done');
  expect(await react(service, target, 'phone-cem', '👍')).toBe('done');
  expect(await react(service, target, 'dan', '👍', options)).toBe('done');
  await untilPushed(['phone-ann', 'phone-ann']);
});

test('a reaction is not pushed to a sender who blocks who reacts, or who has left', async () => {
  const [first, second] = [await send(service, room, 'phone-ann'), await send(service, room, 'phone-cem')];
  const { appId, conversationId } = room;
  const blocks = [{ blockedUserId: 'phone-bob', blocked: true, version: 1 }];
  await service.copies.applyBlocks({ appId, ownerUserId: 'phone-ann', blocks });
  const operations = [{ step: { case: 'removeParticipant' as const, value: 'phone-cem' } }];
  await service.messaging.updateConversation({ appId, id: conversationId, operations });
  for (const { id: messageId } of [first, second])
    for (const user of ['phone-bob', 'dan'])
      await react(service, { appId, messageId }, user, '👍', { notification });
  await untilPushed(['phone-ann']);
});

test('nothing is pushed in a conversation whose type has no pushes, neither a message nor a reaction', async () => {
  const { appId } = room;
  const rules = { features: { push: false } };
  await service.channel.client(PolicyService).putType({ appId, type: { name: 'silent', rules } });
  const { conversation } = await service.messaging.createConversation({
    appId,
    participantIds: ['phone-ann', 'phone-bob'],
    type: 'silent',
  });
  const silent = { appId, conversationId: conversation!.id };
  const message = await send(service, silent, 'phone-ann', { notification });
  await react(service, { appId, messageId: message.id }, 'phone-bob', '👍', { notification });
  await send(service, room, 'phone-ann', { notification });
  await untilPushed(['phone-bob', 'phone-cem']);
});
