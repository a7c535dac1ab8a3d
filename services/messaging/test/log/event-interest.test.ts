import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import type { Consumer } from '@parley/kit/bus';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { createDatabase } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { lockFreeConversations } from '../../src/sql/conversation/conversation.ts';
import {
  areEarlierTransactionsOver,
  listAwaitedApps,
  takeTransactionId,
  upsertInterest,
} from '../../src/sql/log/event-interest.ts';
import { createRoom, draft, receipt, send, sendAll, type Room } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let nats: TestNats;
let service: TestMessaging;
let consumer: Consumer;
const stored: Event[] = [];
const live: Event[] = [];

beforeAll(async () => {
  nats = await startNats();
  service = await startMessaging({ natsUrl: nats.url });
  const { bus } = service.ctx;
  for (const name of ['webhook', 'export']) await drop(name, NIL_UUID);
  bus.subscribeLive(
    'live.*.*.event',
    (payload) => void live.push(...fromBinary(EventBatchSchema, payload).events),
  );
  consumer = bus.consume({
    stream: 'EVENTS',
    durable: `test-${randomUUID()}`,
    filter: 'event.>',
    handle(messages) {
      for (const { payload } of messages) stored.push(...fromBinary(EventBatchSchema, payload).events);
      return Promise.resolve(messages.map(() => 'ack'));
    },
  });
});

afterAll(async () => {
  await consumer?.stop();
  await service?.stop();
  await nats?.stop();
});

async function list(name: string) {
  return (await service.interests.listEventInterests({ consumer: name, limit: 100 })).interests;
}

async function drop(name: string, appId: string): Promise<void> {
  const interests = (await list(name)).filter((interest) => interest.appId === appId);
  await service.interests.dropEventInterests({ consumer: name, interests });
}

function register({ appId }: Room, since = Date.now()) {
  return service.interests.registerEventInterest({ appId, consumer: 'webhook', since });
}

function messagesIn(events: readonly Event[], { appId }: Room): string[] {
  const ids = events.flatMap((event) =>
    event.appId === appId && event.body.case === 'messageCreated' ? (event.body.value.message?.id ?? []) : [],
  );
  return [...new Set(ids)].sort();
}

function kindsIn(events: readonly Event[], { appId }: Room) {
  return new Set(events.filter((event) => event.appId === appId).map(({ body }) => body.case));
}

async function untilStored(room: Room, ids: readonly string[]): Promise<void> {
  await until(() => messagesIn(stored, room).length >= ids.length || undefined, {
    withinMs: 15_000,
    what: `${ids.length} messages are stored`,
  });
}

const NOTIFICATION = { title: 'hello', text: 'hello' };

test('messages and receipts that no service awaits reach sockets, and are not stored; other changes are', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const plain = await send(service, room, 'ann');
  await receipt(service, { appId: room.appId, userId: 'bob', messageId: plain.id });
  await service.messaging.markAllDelivered({ ...room, userId: 'bob' });
  await service.messaging.markAllRead({ ...room, userId: 'bob' });
  const pushed = await send(service, room, 'ann', { notification: NOTIFICATION });
  await service.messaging.deleteMessage({ appId: room.appId, id: plain.id, mode: 1 });
  await until(() => kindsIn(stored, room).size >= 3 || undefined, {
    withinMs: 15_000,
    what: 'three kinds are stored',
  });
  expect(kindsIn(stored, room)).toEqual(new Set(['conversationCreated', 'messageCreated', 'messageDeleted']));
  expect(messagesIn(stored, room)).toEqual([pushed.id]);
  expect(messagesIn(live, room)).toEqual([plain.id, pushed.id].sort());
  expect(kindsIn(live, room)).toContain('receiptRecorded');
});

test('from a registration on every message is stored, also those sent at the same time, and those since the given time', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const before = await send(service, room, 'ann');
  // Before the skew of clocks that a registration allows for.
  await service.ctx.db.execute({
    text: `update change set created_at = created_at - interval '1 minute' where app_id = $1`,
    values: [room.appId],
  });
  const since = Date.now();
  const early = await send(service, room, 'ann');
  const sent = [early.id];
  const registering = { over: false };
  async function sendOn(): Promise<void> {
    while (!registering.over) {
      const messages = await sendAll(service, [draft(room, 'ann'), draft(room, 'bob')]);
      sent.push(...messages.map(({ id }) => id));
    }
  }
  const senders = Array.from({ length: 4 }, sendOn);
  await register(room, since);
  registering.over = true;
  await Promise.all(senders);
  sent.push((await send(service, room, 'bob')).id);
  await untilStored(room, sent);
  expect(messagesIn(stored, room)).toEqual(sent.sort());
  expect(messagesIn(stored, room)).not.toContain(before.id);
  expect((await list('webhook')).find(({ appId }) => appId === room.appId)?.isIncomplete).toBe(false);
});

test('a dropped interest ends the storing, unless it was registered again since it was listed', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  await register(room);
  const listed = (await list('webhook')).filter(({ appId }) => appId === room.appId);
  await register(room);
  await service.interests.dropEventInterests({ consumer: 'webhook', interests: listed });
  const kept = await send(service, room, 'ann');
  await untilStored(room, [kept.id]);
  await drop('webhook', room.appId);
  await send(service, room, 'ann');
  const pushed = await send(service, room, 'ann', { notification: NOTIFICATION });
  await untilStored(room, [kept.id, pushed.id]);
  expect(messagesIn(stored, room)).toEqual([kept.id, pushed.id].sort());
});

test('a registration waits for transactions that began while it was being committed', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const { appId, conversationId: id } = room;
  const { db } = service.ctx;
  const other = createDatabase({
    url: service.ctx.config.databaseUrl,
    poolSize: 2,
    log: service.ctx.log,
    cell: service.ctx.cell,
    applicationName: 'other',
  });
  const [looked, committed, release] = [createGate(), createGate(), createGate()];
  const registration = other.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await upsertInterest(tx, { appId, consumer: 'webhook' }, 0);
    await looked.opened;
  }, HELD);
  const late = other.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await lockFreeConversations(tx, [{ appId, id }]);
    expect(await listAwaitedApps(tx, [appId])).toEqual([]);
    looked.open();
    await committed.opened;
    const horizon = await takeTransactionId(db);
    expect(await areEarlierTransactionsOver(db, horizon)).toBe(false);
    release.open();
    return horizon;
  }, HELD);
  await registration;
  committed.open();
  await release.opened;
  const horizon = await late;
  await until(async () => (await areEarlierTransactionsOver(db, horizon)) || undefined, {
    withinMs: 10_000,
    what: 'the late transaction is over',
  });
  await other.close();
});

function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

test('a registration ends while messages go on to be sent', async () => {
  const room = await createRoom(service, ['ann', 'bob']);
  const ending = { isOver: false };
  async function sendOn(): Promise<void> {
    while (!ending.isOver) await sendAll(service, [draft(room, 'ann'), draft(room, 'bob')]);
  }
  const senders = [sendOn(), sendOn()];
  try {
    await service.interests.registerEventInterest(
      { appId: room.appId, consumer: 'webhook', since: Date.now() },
      { timeoutMs: 30_000 },
    );
  } finally {
    ending.isOver = true;
    await Promise.all(senders);
  }
  expect((await list('webhook')).find(({ appId }) => appId === room.appId)?.isIncomplete).toBe(false);
});
