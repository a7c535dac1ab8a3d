import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { EventBatchSchema, type Event, type PushRequested } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/stack/testing';
import { createRoom, send, type Room } from './support/actions.ts';
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
  await until(() => pushes().length >= userIds.length || undefined, { withinMs: 10_000, what });
  expect(
    pushes()
      .map(({ userId }) => userId)
      .toSorted(),
  ).toEqual(userIds.toSorted());
  return pushes();
}

test('a message with a notification is pushed to the others who have a device, with their badge', async () => {
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

test('nothing is pushed without a notification, of low significance, or to who blocks the sender', async () => {
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
  // Events are handled in their order: what comes last is pushed last.
  const last = await send(service, room, 'phone-cem', { notification });
  await until(() => pushes().some(({ messageId }) => messageId === last.id) || undefined, {
    withinMs: 10_000,
    what: 'the last message is pushed',
  });
  const earlier = pushes().filter(({ messageId }) => messageId !== last.id);
  expect(earlier.map(({ userId }) => userId)).toEqual(['phone-cem']);
});

test('an event that comes twice is pushed once', async () => {
  await send(service, room, 'phone-ann', { notification });
  await untilPushed(['phone-bob', 'phone-cem']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2);
});

test('a push without a message goes to all that are named and have a device, once for each operation', async () => {
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
