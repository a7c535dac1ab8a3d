import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Tx } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import fc from 'fast-check';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { until } from '@parley/testing';
import { insertScheduledMessage } from '../../src/sql/message/scheduled-message.ts';
import { createRoom, draft, listAll, nameOf, send, trySend, type Room } from '../support/actions.ts';
import { createHolder, type Holder } from '../support/hold.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;
let holder: Holder;
beforeAll(async () => {
  service = await startMessaging();
  holder = createHolder(service);
});
afterEach(() => holder.releaseAll());
afterAll(async () => {
  await holder?.db.close();
  await service?.stop();
});

type Draft = ReturnType<typeof draft>;

/** A short form of each outcome. */
async function sendBatch(
  items: Draft[],
  options: { waitMs?: number; timeoutMs?: number } = {},
): Promise<string[]> {
  const { timeoutMs = 20_000, ...fields } = options;
  const { results } = await service.messaging.sendMessages({ items, ...fields }, { timeoutMs });
  return results.map(({ outcome }) =>
    outcome.case === 'problem' ? nameOf(outcome.value) : String(outcome.case),
  );
}

async function createRooms(count: number): Promise<Room[]> {
  const appId = randomUUID();
  return Promise.all(Array.from({ length: count }, () => createRoom(service, ['ann', 'bob'], appId)));
}

/** The ids of the stored messages by position; positions have no gaps. */
async function listStored(room: Room): Promise<string[]> {
  const { messages } = await listAll(service, room, 'ann');
  const inOrder = messages.map(({ message }) => message).reverse();
  expect(inOrder.map(({ position }) => position)).toEqual(inOrder.map((_, index) => index + 1));
  return inOrder.map(({ id }) => id);
}

async function countLockWaits(): Promise<number> {
  const [row] = await holder.db.query<{ count: number }>({
    text: `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  });
  return row!.count;
}

test('the messages of free conversations of a batch are stored while other conversations are held', async () => {
  const [held, ...free] = await createRooms(3);
  const release = await holder.hold([held!]);
  const items = [held!, free[0]!, held!, free[1]!].map((room) => draft(room, 'ann'));
  const outcomes = await sendBatch(items, { waitMs: 0 });
  expect(outcomes).toEqual(['contended', 'sent', 'contended', 'sent']);
  expect(await listStored(free[0]!)).toEqual([items[1]!.id]);
  expect(await sendBatch([items[1]!], { waitMs: 0 })).toEqual(['sent']);
  await release();
  expect(await sendBatch(items, { waitMs: 0 })).toEqual(['sent', 'sent', 'sent', 'sent']);
  expect(await listStored(held!)).toEqual([items[0]!.id, items[2]!.id]);
});

test('a conversation that does not exist is not found, and not contended', async () => {
  const [room] = await createRooms(1);
  const missing = { ...room!, conversationId: randomUUID() };
  expect(await sendBatch([draft(missing, 'ann'), draft(room!, 'ann')], { waitMs: 0 })).toEqual([
    'not_found',
    'sent',
  ]);
});

test('a message whose sender has no copy fails alone when the identity service is unavailable', async () => {
  const [room, other] = await createRooms(2);
  const items = [draft(room!, 'lost bot', { byServer: true }), draft(room!, 'ann'), draft(other!, 'ann')];
  expect(await sendBatch(items)).toEqual(['service_unavailable', 'sent', 'sent']);
  expect(await listStored(room!)).toEqual([items[1]!.id]);
});

test('a conversation of another application that has the same id is not contended', async () => {
  const [held] = await createRooms(1);
  const appId = randomUUID();
  const same = { appId, conversationId: held!.conversationId };
  await service.messaging.createConversation({
    appId,
    id: same.conversationId,
    userId: 'ann',
    participantIds: ['ann', 'bob'],
  });
  const release = await holder.hold([held!]);
  const waiting = trySend(service, draft(held!, 'ann'));
  await until(async () => (await countLockWaits()) > 0, { withinMs: 10_000, what: 'the message waits' });
  expect(await sendBatch([draft(same, 'ann')], { waitMs: 0 })).toEqual(['sent']);
  await release();
  expect(await waiting).toBe('sent');
});

test('messages that wait for a held conversation are stored in order once it is free, and delay no other', async () => {
  const [held, free] = await createRooms(2);
  const release = await holder.hold([held!]);
  const items = Array.from({ length: 6 }, () => draft(held!, 'ann'));
  const first = sendBatch(items.slice(0, 2));
  // Each is sent after the previous one was stored, which fixes their order.
  expect(await trySend(service, draft(free!, 'ann'))).toBe('sent');
  const second = sendBatch(items.slice(2, 4));
  expect(await trySend(service, draft(free!, 'ann'))).toBe('sent');
  const third = sendBatch(items.slice(4));
  for (let sent = 0; sent < 20; sent++) expect(await trySend(service, draft(free!, 'bob'))).toBe('sent');
  expect(await listStored(held!)).toEqual([]);
  await release();
  expect((await Promise.all([first, second, third])).flat()).toEqual(items.map(() => 'sent'));
  expect(await listStored(held!)).toEqual(items.map(({ id }) => id));
});

test('a message of a conversation held for too long fails alone, and is stored once when repeated', async () => {
  const [held, free] = await createRooms(2);
  const release = await holder.hold([held!]);
  const items = [draft(held!, 'ann'), draft(free!, 'ann')];
  // On a busy machine the answer may miss the deadline; then the call is repeated.
  const attempt = () => sendBatch(items, { timeoutMs: 4_000 }).catch(() => undefined);
  const outcomes = await until(attempt, { withinMs: 30_000, what: 'an answer within the deadline' });
  expect(outcomes).toEqual(['service_unavailable', 'sent']);
  await release();
  expect(await sendBatch(items)).toEqual(['sent', 'sent']);
  expect(await sendBatch(items)).toEqual(['sent', 'sent']);
  expect(await listStored(held!)).toEqual([items[0]!.id]);
});

test('a participant who is removed while their message waits cannot send it', async () => {
  const [room] = await createRooms(1);
  const remove = async (tx: Tx) => {
    await tx.execute(STAYS_OPEN);
    await tx.execute({
      text: 'select from conversation where id = $1 for no key update',
      values: [room!.conversationId],
    });
    const sent = trySend(service, draft(room!, 'bob'));
    await until(async () => (await countLockWaits()) > 0, { withinMs: 10_000, what: 'the message waits' });
    await tx.execute({
      text: 'update participant set left_seq = 1, left_head = 0 where conversation_id = $1 and user_id = $2',
      values: [room!.conversationId, 'bob'],
    });
    return { sent };
  };
  const { sent } = await holder.db.tx(remove, HELD);
  expect(await sent).toBe('access_denied');
  expect(await listStored(room!)).toEqual([]);
});

test('many held conversations of an application wait on few connections', async () => {
  const rooms = await createRooms(60);
  const [quiet] = await createRooms(1);
  const release = await holder.hold(rooms);
  const waiting = rooms.map((room) => sendBatch([draft(room, 'ann')]));
  await until(async () => (await countLockWaits()) > 0, { withinMs: 10_000, what: 'a message waits' });
  for (let sent = 0; sent < 20; sent++) {
    expect(await sendBatch([draft(quiet!, 'ann')], { waitMs: 0 })).toEqual(['sent']);
    expect(await countLockWaits()).toBeLessThanOrEqual(2);
  }
  await release();
  expect((await Promise.all(waiting)).flat()).toEqual(rooms.map(() => 'sent'));
});

test('receipts of free conversations are recorded at once, and those of held ones when they are free', async () => {
  const [held, free] = await createRooms(2);
  const [one, two] = [await send(service, held!, 'ann'), await send(service, free!, 'ann')];
  const items = [one, two].map(({ id, appId }) => ({
    appId,
    userId: 'bob',
    messageId: id,
    type: ReceiptType.READ,
  }));
  const release = await holder.hold([held!]);
  const { results } = await service.messaging.recordReceipts({ items, waitMs: 0 });
  expect(results.map(({ contended, problem }) => [contended !== undefined, problem?.id])).toEqual([
    [true, undefined],
    [false, undefined],
  ]);
  const waiting = service.messaging.recordReceipts({ items: items.slice(0, 1) });
  expect((await listAll(service, free!, 'ann')).messages[0]!.statuses).toMatchObject({ bob: 'read' });
  expect((await listAll(service, held!, 'ann')).messages[0]!.statuses).toMatchObject({ bob: 'sent' });
  await release();
  expect((await waiting).results.map(({ contended, problem }) => contended ?? problem)).toEqual([undefined]);
  expect((await listAll(service, held!, 'ann')).messages[0]!.statuses).toMatchObject({ bob: 'read' });
});

test('scheduled messages of free conversations are sent at once, and those of held ones in their order', async () => {
  const [held, free] = await createRooms(2);
  const release = await holder.hold([held!]);
  const early = await schedule(held!, Date.now() - 2000);
  const late = await schedule(held!, Date.now() - 1000);
  const other = await schedule(free!, Date.now() - 500);
  const isSent = async (room: Room, ids: string[]) => (await listStored(room)).join() === ids.join();
  await until(() => isSent(free!, [other]), { withinMs: 10_000, what: 'the free one is sent' });
  expect(await listStored(held!)).toEqual([]);
  await release();
  await until(() => isSent(held!, [early, late]), { withinMs: 10_000, what: 'the others are sent' });
});

test('scheduling messages in held conversations takes no connection of sends', async () => {
  const [quiet, ...held] = await createRooms(13);
  const release = await holder.hold(held);
  const scheduling = held.map((room) =>
    service.schedules.scheduleMessage({ draft: draft(room, 'ann'), delayMs: 60_000 }, { timeoutMs: 25_000 }),
  );
  await until(async () => (await countLockWaits()) > 0, { withinMs: 10_000, what: 'one waits' });
  for (let sent = 0; sent < 20; sent++) {
    expect(await sendBatch([draft(quiet!, 'ann')], { waitMs: 0 })).toEqual(['sent']);
    expect(await countLockWaits()).toBeLessThanOrEqual(2);
  }
  await release();
  const outcomes = (await Promise.all(scheduling)).map(({ outcome }) => outcome.case);
  expect(outcomes).toEqual(held.map(() => 'scheduled'));
});

/** Inserts a message that is due, and returns its id. */
async function schedule(room: Room, dueAt: number): Promise<string> {
  const item = create(MessageDraftSchema, draft(room, 'ann', { byServer: true }));
  const row = {
    app_id: item.appId,
    id: item.id,
    conversation_id: item.conversationId,
    sender_id: item.senderId,
    request_id: item.requestId,
    created_at: dueAt,
    due_at: dueAt,
    typing_at: null,
    incarnation: null,
    draft: toBinary(MessageDraftSchema, item),
  };
  await service.ctx.db.tx((tx) => insertScheduledMessage(tx, row));
  return item.id;
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    rooms: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant('hold' as const),
    rooms: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('release' as const) }),
  fc.record({ kind: fc.constant('settle' as const) }),
);

test('messages keep their order and are stored once, however conversations are held', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const rooms = await createRooms(4);
      const sent: Draft[] = [];
      const calls: Promise<string[]>[] = [];
      let release: (() => Promise<void>) | undefined;
      for (const one of steps) {
        if (one.kind === 'hold') release ??= await holder.hold(one.rooms.map((index) => rooms[index]!));
        else if (one.kind === 'send') {
          const items = one.rooms.map((index) => draft(rooms[index]!, 'ann'));
          sent.push(...items);
          calls.push(sendBatch(items));
          // The next call is made later than this one.
          await sendBatch([draft({ ...rooms[0]!, conversationId: randomUUID() }, 'ann')], { waitMs: 0 });
        } else {
          await release?.();
          release = undefined;
          if (one.kind === 'settle') await Promise.all(calls);
        }
      }
      await release?.();
      expect((await Promise.all(calls)).flat()).toEqual(sent.map(() => 'sent'));
      // Each repetition finds the message of the first attempt.
      expect(await sendBatch(sent)).toEqual(sent.map(() => 'sent'));
      for (const room of rooms) {
        const ofRoom = sent.filter(({ conversationId }) => conversationId === room.conversationId);
        expect(await listStored(room)).toEqual(ofRoom.map(({ id }) => id));
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);
