import { randomUUID } from 'node:crypto';
import { createDatabase, type Database } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { until } from '@parley/testing';
import { createRoom, draft, listAll, send, type Room } from './support/actions.ts';
import { setMetadata } from './support/patches.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

let service: TestMessaging;
/** The tests' own connections. */
let db: Database;
beforeAll(async () => {
  service = await startMessaging();
  const { config, log, cell } = service.ctx;
  db = createDatabase({ url: config.databaseUrl, poolSize: 2, log, applicationName: 'fairness', cell });
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

/** Runs `work` while other transactions hold every connection that sends do not use. */
async function withoutConnections(work: () => Promise<void>): Promise<void> {
  const { db: general, config } = service.ctx;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const held = Array.from({ length: config.poolSize }, () =>
    general.tx(async (tx) => {
      await tx.execute(STAYS_OPEN);
      await tx.query({ text: 'select 1' });
      await ended;
    }, HELD),
  );
  try {
    await work();
  } finally {
    end();
    await Promise.all(held);
  }
}

test('messages and receipts are stored, and scheduled messages sent, when all other work has no connection left', async () => {
  const room = await createRoom(service, ['ada', 'bob']);
  const first = await send(service, room, 'ada');
  const scheduled = { ...draft(room, 'ada'), byServer: true };
  await service.schedules.scheduleMessage({ draft: scheduled, delayMs: 1_000 });
  await withoutConnections(async () => {
    await send(service, room, 'ada');
    const item = { appId: room.appId, messageId: first.id, userId: 'bob', type: ReceiptType.READ };
    const { results } = await service.messaging.recordReceipts({ items: [item] });
    expect(results.map(({ problem }) => problem?.id)).toEqual([undefined]);
    const text = 'select 1 from message where id = $1';
    const isSent = async () => (await db.query({ text, values: [scheduled.id] })).length === 1 || undefined;
    await until(isSent, { withinMs: 10_000, what: 'the scheduled message is sent' });
  });
});

test('a user who sends for the first time does not wait for other work either', async () => {
  const room = await createRoom(service, ['ada', 'bob']);
  await db.execute({ text: 'delete from identity_copy where app_id = $1', values: [room.appId] });
  await withoutConnections(async () => void (await send(service, room, 'ada')));
});

/** Runs `work` while every change of the conversation waits for its lock. */
async function whileLocked({ conversationId }: Room, work: () => Promise<void>): Promise<void> {
  await db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await tx.query({ text: 'select 1 from conversation where id = $1 for update', values: [conversationId] });
    await work();
  }, HELD);
}

test('an application whose patches wait for a lock leaves connections to another one, and to its own reads', async () => {
  const noisy = await createRoom(service, ['ada', 'bob']);
  const quiet = await createRoom(service, ['ada', 'bob']);
  await send(service, quiet, 'ada');
  let settled = 0;
  const patch = () =>
    service.messaging
      .updateConversation({
        appId: noisy.appId,
        id: noisy.conversationId,
        operations: [setMetadata(['title'], 'new')],
      })
      .finally(() => (settled += 1));
  let patches: Promise<unknown>[] = [];
  await whileLocked(noisy, async () => {
    patches = Array.from({ length: 200 }, patch);
    for (const one of patches) one.catch(() => undefined);
    expect((await listAll(service, quiet, 'ada')).total).toBe(1);
    expect((await listAll(service, noisy, 'ada')).total).toBe(0);
    expect(settled).toBe(0);
  });
  await Promise.allSettled(patches);
});

test('an application whose scheduled messages wait takes no connection of sends, and leaves some to another one', async () => {
  const quiet = await createRoom(service, ['ada', 'bob']);
  const first = await createRoom(service, ['ada', 'bob']);
  const others: Room[] = [];
  for (let n = 1; n < 20; n++) others.push(await createRoom(service, ['ada', 'bob'], first.appId));
  let settled = 0;
  const schedule = (room: Room) =>
    service.schedules
      .scheduleMessage({ draft: { ...draft(room, 'ada'), byServer: true }, delayMs: 60_000 })
      .finally(() => (settled += 1));
  let schedules: Promise<unknown>[] = [];
  await db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await tx.execute({ text: 'lock table scheduled_message in exclusive mode' });
    schedules = Array.from({ length: 10 }, () => others.map(schedule)).flat();
    for (const one of schedules) one.catch(() => undefined);
    for (const room of [first, quiet, first, quiet]) await send(service, room, 'ada');
    expect((await listAll(service, quiet, 'ada')).total).toBe(2);
    expect(settled).toBe(0);
  }, HELD);
  expect((await Promise.allSettled(schedules)).some(({ status }) => status === 'fulfilled')).toBe(true);
});

/** Calls, other than those of users, that take a share of the connections. */
const calls: Record<string, (room: Room) => Promise<unknown>> = {
  typing: (room) => service.messaging.sendTyping({ ...room, userId: 'ada', action: Typing_Action.STARTED }),
  'scheduling a message': (room) =>
    service.schedules.scheduleMessage({ draft: { ...draft(room, 'ada'), byServer: true }, delayMs: 60_000 }),
  'the cut of an export': ({ appId }) => service.exports.fixCut({ appId, cutId: randomUUID() }),
  'a page of an export': async ({ appId, conversationId: cutId }) => {
    for await (const { conversations } of service.exports.exportConversations({ appId, cutId }))
      expect(conversations).toHaveLength(1);
  },
  'places of messages for an export': (room) =>
    service.exports.listMessagePlaces({ ...room, positions: [{ first: 1, last: 1 }], pageSize: 1 }),
};

test.each(Object.entries(calls))('%s takes the share of its application alone', async (_, call) => {
  const [noisy, quiet] = [
    await createRoom(service, ['ada', 'bob']),
    await createRoom(service, ['ada', 'bob']),
  ];
  for (const { appId, conversationId: cutId } of [noisy, quiet])
    await service.exports.fixCut({ appId, cutId });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { shares, config } = service.ctx;
  const filling = Array.from({ length: config.poolSize / 2 }, () => shares.run(noisy.appId, () => ended));
  let isDone = false;
  const waiting = call(noisy).then(() => (isDone = true));
  for (let round = 0; round < 5; round += 1) await call(quiet);
  expect(isDone).toBe(false);
  end();
  await Promise.all([waiting, ...filling]);
});
