import { fromBinary } from '@bufbuild/protobuf';
import { createTestClock } from '@parley/kit/runtime/clock';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { HeadsSchema, SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createRoom, draft, receipt, send, sendAll, type Room } from '../support/actions.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../support/service.ts';

const clock = createTestClock(Date.now());

let service: TestMessaging;
let room: Room;
let subscription: { close(): void };
let received: { subject: string; payload: Uint8Array }[];

beforeAll(async () => void (service = await startMessaging({ clock })));
afterAll(() => service?.stop());

beforeEach(async () => {
  room = await createRoom(service, ['ann', 'bob', 'cat']);
  received = [];
  const { bus } = service.ctx;
  subscription = bus.subscribeLive(
    `live.${room.appId}.>`,
    (payload, subject) => void received.push({ payload, subject }),
  );
  await bus.flush();
});

afterEach(() => subscription.close());

function receivedOn(kind: 'event' | 'heads' | 'signal') {
  return received.filter(({ subject }) => subject.endsWith(`.${kind}`));
}

async function untilReceived(count: number): Promise<Event[]> {
  return until(
    async () => {
      await service.ctx.bus.flush();
      const events = receivedOn('event').flatMap(
        ({ payload }) => fromBinary(EventBatchSchema, payload).events,
      );
      return events.length >= count ? events : undefined;
    },
    { withinMs: 10_000, what: `${count} events are received` },
  );
}

async function listLog(): Promise<Event[]> {
  const rows = await service.ctx.db.query<{ event: Uint8Array }>({
    text: 'select event from change where app_id = $1 and conversation_id = $2 order by seq',
    values: [room.appId, room.conversationId],
  });
  return rows.map((row) => fromBinary(EventSchema, row.event));
}

test('events are published live with numbers without gaps, and logged without bodies', async () => {
  const message = await send(service, room, 'ann');
  const { appId } = room;
  await receipt(service, { appId, userId: 'bob', messageId: message.id }, 'delivery');
  await receipt(service, { appId, userId: 'bob', messageId: message.id });
  await service.messaging.markAllDelivered({ ...room, userId: 'cat' });
  await service.messaging.markAllRead({ ...room, userId: 'cat' });
  await service.messaging.deleteMessage({
    appId,
    id: message.id,
    userId: 'bob',
    mode: DeletionMode.MY_DEVICES,
  });
  await service.messaging.deleteMessage({
    appId,
    id: message.id,
    userId: 'ann',
    mode: DeletionMode.ALL_PARTICIPANTS,
  });
  const events = await untilReceived(7);
  const summary = events.map(({ body, actor, onlyUserIds }) => [body.case, actor?.displayName, onlyUserIds]);
  expect(summary).toEqual([
    ['messageCreated', 'ANN', []],
    ['receiptRecorded', 'BOB', ['ann', 'bob']],
    ['receiptRecorded', 'BOB', ['ann', 'bob']],
    ['allDelivered', 'CAT', []],
    ['allRead', 'CAT', []],
    ['messageHidden', 'BOB', ['bob']],
    ['messageDeleted', 'ANN', []],
  ]);
  expect(events.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  expect(events[0]?.body.value).toMatchObject({ message: { id: message.id, parts: message.parts } });
  expect(events[3]?.body.value).toMatchObject({ newlyDelivered: [{ first: 1, last: 1 }], position: 1 });
  expect(events[4]?.body.value).toMatchObject({ newlyRead: [{ first: 1, last: 1 }], unreadMessageCount: 0 });
  const log = await listLog();
  expect(log.map(({ id, seq }) => [id, seq])).toEqual([
    [log[0]?.id, 1],
    ...events.map(({ id, seq }) => [id, seq]),
  ]);
  expect(log[1]?.body.value).toMatchObject({ message: { id: message.id, position: 1, parts: [] } });
  expect(log[7]?.body.value).toMatchObject({ messageId: message.id, message: { parts: [] } });
});

test('a call that changes nothing publishes no event', async () => {
  const message = await send(service, room, 'ann');
  const of = (userId: string) => ({ appId: room.appId, userId, messageId: message.id });
  await receipt(service, of('bob'));
  const { length } = await listLog();
  await receipt(service, of('bob'));
  await receipt(service, of('bob'), 'delivery');
  await receipt(service, of('ann'));
  await service.messaging.markAllRead({ ...room, userId: 'bob' });
  await service.messaging.markAllDelivered({ ...room, userId: 'bob' });
  expect(await listLog()).toHaveLength(length);
});

test('a batch is one broker message, and leaves the outbox once it is acknowledged', async () => {
  await sendAll(
    service,
    Array.from({ length: 5 }, () => draft(room, 'ann')),
  );
  await untilReceived(5);
  expect(receivedOn('event').length).toBeLessThan(3);
  await until(
    async () => {
      clock.advance(50);
      const rows = await service.ctx.db.query({ text: 'select from outbox' });
      return rows.length === 0 ? true : undefined;
    },
    { withinMs: 10_000, what: 'the outbox is empty' },
  );
});

test('the number of the last change is published again a second later', async () => {
  await send(service, room, 'ann');
  await send(service, room, 'bob');
  await untilReceived(2);
  clock.advance(1000);
  await service.ctx.bus.flush();
  const heads = await until(
    () =>
      Promise.resolve(
        receivedOn('heads').flatMap(({ payload }) => fromBinary(HeadsSchema, payload).heads)[0],
      ),
    { withinMs: 10_000, what: 'a head is received' },
  );
  expect(heads).toMatchObject({ conversationId: room.conversationId, seq: 3 });
  // Before this, the test's clock stands at the due time of the timer, on its way to the present one.
  const [sentAt = 0] = receivedOn('heads').map(({ payload }) => fromBinary(HeadsSchema, payload).sentAt);
  expect(sentAt).toBeGreaterThan(clock.now() - 1000);
  expect(sentAt).toBeLessThanOrEqual(clock.now());
});

test('typing is published to the audience, and not stored', async () => {
  const type = (userId: string) =>
    service.messaging.sendTyping({ ...room, userId, action: Typing_Action.STARTED });
  expect(await problemIn(type('stranger'))).toBe('not_found');
  await type('bob');
  const signal = await until(() => Promise.resolve(receivedOn('signal')[0]), {
    withinMs: 10_000,
    what: 'typing is received',
  });
  expect(fromBinary(SignalSchema, signal.payload)).toMatchObject({
    conversationId: room.conversationId,
    kind: {
      case: 'typing',
      value: { action: Typing_Action.STARTED, sender: { userId: 'bob', displayName: 'BOB' } },
    },
  });
  expect(await listLog()).toHaveLength(1);
});

test('messages of a blocked user do not reach the user who blocks them', async () => {
  await service.ctx.db.execute({
    text: `insert into block_copy (app_id, owner_user_id, blocked_user_id) values ($1, 'cat', 'bob')`,
    values: [room.appId],
  });
  const message = await send(service, room, 'bob');
  const [event] = await untilReceived(1);
  expect(event?.body.value).toMatchObject({ hiddenFrom: ['cat'] });
  const counts = await service.messaging.getUnreadCounts({
    items: ['ann', 'cat'].map((userId) => ({ ...room, userId })),
  });
  expect(counts.results.map((result) => result.unreadMessageCount)).toEqual([1, 0]);
  expect(counts.results.map((result) => result.lastMessageId)).toEqual([message.id, '']);
  await service.messaging.markAllRead({ ...room, userId: 'cat' });
  const shown = await service.messaging.getMessage({ appId: room.appId, id: message.id, userId: 'bob' });
  const state = shown.receipts?.states.find(({ userId }) => userId === 'cat');
  expect(state?.readUntil).toBe(0);
});

test('an audience has the participants, and the users who left after a change', async () => {
  await service.messaging.updateConversation({
    appId: room.appId,
    id: room.conversationId,
    userId: 'ann',
    operations: [{ step: { case: 'removeParticipant', value: 'bob' } }],
  });
  const { audiences } = await service.messaging.getAudiences({
    items: [0, 1, 2].map((leftAfterSeq) => ({ ...room, leftAfterSeq })),
  });
  const names = audiences.map(({ members }) => members.map(({ identity }) => identity?.userId).sort());
  expect(names).toEqual([
    ['ann', 'cat'],
    ['ann', 'bob', 'cat'],
    ['ann', 'cat'],
  ]);
  expect(audiences[1]).toMatchObject({ seq: 2, membersSeq: 2, gone: false });
});

test('the audience of a deleted conversation is that of its deletion, and is empty for anything later', async () => {
  const { appId, conversationId: id } = room;
  await service.messaging.deleteConversation({ appId, id, userId: 'ann', mode: 1 });
  const { audiences } = await service.messaging.getAudiences({
    items: [0, 1].map((leftAfterSeq) => ({ ...room, leftAfterSeq })),
  });
  const names = audiences.map(({ members }) => members.map(({ identity }) => identity?.userId).sort());
  expect(names).toEqual([[], ['ann', 'bob', 'cat']]);
  expect(audiences[1]).toMatchObject({ gone: true });
});

test('a removed user reads earlier messages, and can do nothing else', async () => {
  const message = await send(service, room, 'ann');
  const { appId, conversationId: id } = room;
  const removeBob = { step: { case: 'removeParticipant' as const, value: 'bob' } };
  await service.messaging.updateConversation({ appId, id, userId: 'ann', operations: [removeBob] });
  const later = await send(service, room, 'ann');
  const { messaging } = service;
  const list = await messaging.listMessages({ ...room, userId: 'bob' });
  expect([list.messages.map((one) => one.id), list.total]).toEqual([[message.id], 1]);
  expect(await problemIn(messaging.getMessage({ appId, id: later.id, userId: 'bob' }))).toBe('not_found');
  expect(await problemIn(messaging.markAllRead({ ...room, userId: 'bob' }))).toBe('access_denied');
  expect(await receipt(service, { appId, userId: 'bob', messageId: message.id })).toBe('access_denied');
  expect(await receipt(service, { appId, userId: 'bob', messageId: later.id })).toBe('not_found');
  const all = DeletionMode.ALL_PARTICIPANTS;
  expect(await problemIn(messaging.deleteMessage({ appId, id: message.id, userId: 'bob', mode: all }))).toBe(
    'access_denied',
  );
});
