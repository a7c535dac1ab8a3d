import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { problemOf } from '@parley/domain/problems';
import { connectBus, type Bus } from '@parley/kit/bus';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { createTestDatabase, testNats, until } from '@parley/testing';
import { createRoom, draft, listAll, send, trySend, type Room } from '../../support/actions.ts';
import { add, remove, type Operation } from '../../support/patches.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from '../../support/service.ts';

let database: string;
let clock: TestClock;
let service: TestMessaging;
let room: Room;
let bus: Bus;
let subscription: { close(): void };
let published: string[];

function start() {
  return startMessaging({ clock, env: { PARLEY_DATABASE_URL: database } });
}

beforeAll(async () => {
  const log = createLogger({ service: 'test', level: 'error' });
  bus = await connectBus({ url: await testNats(), name: 'test', log });
});
afterAll(() => bus?.close());

beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock(Date.UTC(2030, 0, 1));
  service = await start();
  room = await createRoom(service, ['ann', 'bob']);
  published = [];
  subscription = bus.subscribeLive(`live.${room.appId}.>`, note);
  await bus.flush();
});

afterEach(async () => {
  subscription.close();
  await service.stop();
});

function note(payload: Uint8Array, subject: string): void {
  if (subject.endsWith('.signal')) {
    const { kind } = fromBinary(SignalSchema, payload);
    if (kind.case === 'typing')
      published.push(`${kind.value.sender?.userId} ${Typing_Action[kind.value.action]}`);
  }
  if (subject.endsWith('.event')) {
    // The creation of the room may arrive late.
    for (const { body } of fromBinary(EventBatchSchema, payload).events) {
      if (body.case !== 'conversationCreated') published.push(String(body.case));
    }
  }
}

function untilPublished(expected: string[]) {
  return until(() => (clock.advance(0), published.length >= expected.length ? true : undefined), {
    withinMs: 10_000,
    what: `published: ${expected.join(', ')}`,
  }).then(() => expect(published).toEqual(expected));
}

async function schedule(senderId: string, delayMs: number, typingMs?: number, fields = {}) {
  const message = draft(room, senderId, fields);
  const { outcome } = await service.schedules.scheduleMessage({ draft: message, delayMs, typingMs });
  if (outcome.case !== 'scheduled') throw new Error(`not scheduled: ${outcome.case}`);
  return message;
}

async function waiting() {
  return (await service.schedules.listScheduledMessages({ ...room, pageSize: 100 })).messages.map(
    ({ draft }) => draft?.id,
  );
}

test('with a delay of 7.5 s and typing of 3.3 s, typing starts after 4.2 s and ends with the message', async () => {
  const { id } = await schedule('ann', 7500, 3300);
  clock.advance(4199);
  await bus.flush();
  expect(published).toEqual([]);
  clock.advance(1);
  await untilPublished(['ann STARTED']);
  clock.advance(3299);
  expect(await waiting()).toEqual([id]);
  clock.advance(1);
  await untilPublished(['ann STARTED', 'messageCreated', 'ann FINISHED']);
  const { messages } = await listAll(service, room, 'bob');
  expect(messages).toMatchObject([{ message: { id, sentAt: clock.now(), isUnread: true, position: 1 } }]);
  expect(await waiting()).toEqual([]);
  expect(await service.ctx.metrics.registry.metrics()).toMatch(
    /scheduled_message_late_seconds_count\{[^}]*\} 1\n/,
  );
});

test('typing as long as the delay starts at once; without it no typing is published', async () => {
  await schedule('ann', 2000, 2000);
  await untilPublished(['ann STARTED']);
  clock.advance(2000);
  await untilPublished(['ann STARTED', 'messageCreated', 'ann FINISHED']);
  await schedule('bob', 1000);
  clock.advance(1000);
  await untilPublished(['ann STARTED', 'messageCreated', 'ann FINISHED', 'messageCreated']);
});

test('a scheduled message survives the end of the process that accepted it, and typing is published once', async () => {
  const { id } = await schedule('ann', 5000, 3000);
  await service.stop();
  service = await start();
  clock.advance(2500);
  await untilPublished(['ann STARTED']);
  await service.stop();
  clock.advance(60_000);
  service = await start();
  await untilPublished(['ann STARTED', 'messageCreated', 'ann FINISHED']);
  const { messages } = await listAll(service, room, 'bob');
  expect(messages.map(({ message }) => message.id)).toEqual([id]);
});

test('two replicas send each of many scheduled messages once', async () => {
  const other = await start();
  try {
    const ids: string[] = [];
    for (let n = 0; n < 300; n++) ids.push((await schedule('ann', 1000 + (n % 7) * 10)).id);
    clock.advance(250);
    await until(async () => ((await readyIn(other)) ? true : undefined), {
      withinMs: 10_000,
      what: 'the other replica knows the messages',
    });
    clock.advance(5000);
    await until(async () => ((await waiting()).length === 0 ? true : undefined), {
      withinMs: 10_000,
      what: 'all messages are sent',
    });
    const { messages, total } = await listAll(service, room, 'bob');
    expect(total).toBe(300);
    expect(messages.map(({ message }) => message.id).sort()).toEqual(ids.sort());
  } finally {
    await other.stop();
  }
});

async function readyIn({ ctx }: TestMessaging): Promise<boolean> {
  return (await ctx.metrics.registry.getSingleMetricAsString('scheduled_messages_known')).includes(' 300');
}

describe('dropped messages', () => {
  test('a deleted conversation drops its scheduled messages and ends their typing', async () => {
    await schedule('ann', 3000, 3000);
    await untilPublished(['ann STARTED']);
    await service.messaging.deleteConversation({ appId: room.appId, id: room.conversationId });
    await untilPublished(['ann STARTED', 'conversationDeleted', 'ann FINISHED']);
    clock.advance(10_000);
    expect(await rows()).toBe(0);
  });

  test('a removed sender’s messages are dropped, even if they are added again; other senders’ are not', async () => {
    await schedule('ann', 3000);
    const bobs = await schedule('bob', 3000);
    const patch = (operation: Operation) =>
      service.messaging.updateConversation({
        appId: room.appId,
        id: room.conversationId,
        operations: [operation],
      });
    await patch(remove('ann'));
    await patch(add('ann'));
    expect(await waiting()).toEqual([bobs.id]);
    clock.advance(3000);
    await untilPublished(['conversationUpdated', 'conversationUpdated', 'messageCreated']);
    expect((await listAll(service, room, 'ann')).total).toBe(1);
  });

  test("leaving drops the user's own messages", async () => {
    await schedule('bob', 3000);
    const { appId, conversationId: id } = room;
    const mode = DeletionMode.MY_DEVICES;
    await service.messaging.deleteConversation({ appId, id, userId: 'bob', mode, leave: true });
    expect(await rows()).toBe(0);
  });

  const rows = async () => (await service.ctx.db.query({ text: 'select id from scheduled_message' })).length;
});

test('a scheduled message is checked like one that is sent now', async () => {
  const attempt = (message: ReturnType<typeof draft>, delayMs = 1000, typingMs?: number) =>
    problemIn(service.schedules.scheduleMessage({ draft: message, delayMs, typingMs }));
  expect(await attempt(draft(room, 'zoe'))).toBe('invalid_property: sender_id');
  expect(await attempt(draft(room, 'nobody'))).toBe('not_found: sender_id');
  expect(await attempt(draft({ ...room, conversationId: randomUUID() }, 'ann'))).toBe('not_found');
  expect(await attempt(draft(room, 'ann'), 999)).toBe('invalid_property: schedule.delay_in_seconds');
  expect(await attempt(draft(room, 'ann'), 300_001)).toBe('invalid_property: schedule.delay_in_seconds');
  const typing = 'invalid_property: schedule.typing_indicator_in_seconds';
  expect(await attempt(draft(room, 'ann'), 2000, 2001)).toBe(typing);
  await schedule('bot', 1000);
  await service.messaging.deleteConversation({ appId: room.appId, id: room.conversationId });
  expect(await attempt(draft(room, 'ann'))).toBe('object_deleted');
});

test('its id is taken from the start; a repeated call finds its own row', async () => {
  const message = await schedule('ann', 1000);
  const again = async (fields: object) =>
    (await service.schedules.scheduleMessage({ draft: { ...message, ...fields }, delayMs: 1000 })).outcome
      .case;
  expect(await again({})).toBe('scheduled');
  expect(await again({ requestId: randomUUID() })).toBe('duplicate');
  expect(await trySend(service, { ...message, requestId: randomUUID() })).toBe('duplicate');
  const sent = await send(service, room, 'bob');
  expect(await again({ id: sent.id, requestId: randomUUID() })).toBe('duplicate');
  clock.advance(1000);
  await untilPublished(['messageCreated', 'messageCreated']);
  expect(await again({})).toBe('scheduled');
  expect(await waiting()).toEqual([]);
  expect(await again({ requestId: randomUUID() })).toBe('duplicate');
});

test.each<[string, (id: string) => Promise<unknown>]>([
  ['sent', async () => (clock.advance(1000), untilPublished(['messageCreated']))],
  ['canceled', (id) => service.schedules.cancelScheduledMessage({ ...room, id })],
  [
    'dropped with its sender',
    () =>
      service.messaging.updateConversation({
        appId: room.appId,
        id: room.conversationId,
        operations: [remove('bob')],
      }),
  ],
])('a page begins behind a scheduled message that was %s meanwhile', async (_, go) => {
  const { id } = await schedule('bob', 1000);
  const second = await schedule('ann', 2000);
  const page = (fromId: string, of: Room = room) =>
    service.schedules.listScheduledMessages({ ...of, fromId, pageSize: 2 });
  await go(id);
  await until(async () => (await waiting()).length === 1 || undefined, {
    withinMs: 10_000,
    what: 'it is gone',
  });
  expect((await page(id)).messages.map(({ draft }) => draft?.id)).toEqual([second.id]);
  const other = await createRoom(service, ['ann', 'bob'], room.appId);
  expect(await problemIn(page(id, other))).toBe('invalid_property: from_id');
});

test('scheduled messages are listed by time and page, found and cancelled', async () => {
  const third = await schedule('ann', 3000);
  const first = await schedule('bob', 1000, 1000, { low: true });
  const second = await schedule('ann', 2000);
  const page = async (fromId: string) => {
    const { messages, total } = await service.schedules.listScheduledMessages({
      ...room,
      fromId,
      pageSize: 2,
    });
    return [total, ...messages.map(({ draft }) => draft?.id)];
  };
  expect(await page('')).toEqual([3, first.id, second.id]);
  expect(await page(second.id)).toEqual([3, third.id]);
  expect(await problemIn(page(randomUUID()))).toBe('invalid_property: from_id');

  const ref = { ...room, id: first.id };
  const { message } = await service.schedules.getScheduledMessage(ref);
  expect(message).toMatchObject({
    draft: { id: first.id, low: true, parts: first.parts },
    sender: { userId: 'bob', displayName: 'BOB' },
    dueAt: clock.now() + 1000,
    typingAt: clock.now(),
  });
  await untilPublished(['bob STARTED']);
  await service.schedules.cancelScheduledMessage(ref);
  await untilPublished(['bob STARTED', 'bob FINISHED']);
  expect(await problemIn(service.schedules.cancelScheduledMessage(ref))).toBe('not_found');
  expect(await problemIn(service.schedules.getScheduledMessage(ref))).toBe('not_found');
  expect(await waiting()).toEqual([second.id, third.id]);
});

test('a conversation has a limited number of scheduled messages; one that is sent makes room', async () => {
  await service.stop();
  const env = { PARLEY_DATABASE_URL: database, PARLEY_MAX_SCHEDULED_MESSAGES: '3' };
  service = await startMessaging({ clock, env });
  for (const delayMs of [1000, 20_000, 20_000]) await schedule('ann', delayMs);
  const refusal = await schedule('ann', 20_000).catch((error: unknown) => error);
  expect(problemOf(refusal)).toMatchObject({
    id: 'invalid_operation',
    data: { property: 'schedule', limit: 3 },
  });
  expect(await waiting()).toHaveLength(3);
  clock.advance(1000);
  await until(async () => ((await waiting()).length === 2 ? true : undefined), {
    withinMs: 10_000,
    what: 'the first message is sent',
  });
  await schedule('ann', 20_000);
});
