import { newId } from '@parley/domain/ids';
import { DAY_MS } from '@parley/domain/log-age';
import { problemOf } from '@parley/domain/problems';
import { RecipientStatus } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { until } from '@parley/stack/testing';
import fc from 'fast-check';
import { createFanOut } from '../src/timers/fan-out.ts';
import { listenLive, startAnnouncement, type TestAnnouncement } from './service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});

afterAll(() => service.stop());

const part = { id: newId(), mimeType: 'text/plain', body: 'hear' };

function create(appId: string, recipientUserIds: string[], ids: { id?: string; requestId?: string } = {}) {
  const { id = newId(), requestId = newId() } = ids;
  const request = { appId, id, requestId, senderUserId: 'herald', recipientUserIds, parts: [part] };
  return service.announcement.createAnnouncement(request);
}

const list = (appId: string, userId: string) =>
  service.announcement.listReceivedAnnouncements({ appId, userId });

const countRows = async (text: string, ...values: unknown[]): Promise<number> =>
  (
    await service.ctx.db.query<{ count: number }>({ text: `select count(*) as count from ${text}`, values })
  )[0]!.count;

const untilFannedOut = (appId: string) =>
  until(async () => (await countRows('fan_out where app_id = $1', appId)) === 0 || undefined, {
    withinMs: 20_000,
    what: 'everybody has it',
  });

test('20,000 recipients get one announcement each, in bounded transactions, and all are told', async () => {
  const appId = newId();
  const told = await listenLive(service.ctx, appId);
  const users = Array.from({ length: 20_000 }, (_, i) => `user-${i}`);
  const { announcement } = await create(appId, [...users, 'user-1', 'nobody-there']);
  expect(announcement?.recipientUserIds).toEqual(users);
  await untilFannedOut(appId);
  expect(await countRows('received where app_id = $1 and position = 1', appId)).toBe(20_000);
  expect(await countRows('inbox where app_id = $1 and listed = 1 and unread = 1', appId)).toBe(20_000);
  await until(() => told.flatMap((event) => event.onlyUserIds).length >= 20_000 || undefined, {
    withinMs: 10_000,
    what: 'all are told',
  });
  expect(Math.max(...told.map((event) => event.onlyUserIds.length))).toBeLessThanOrEqual(250);
  expect(new Set(told.flatMap((event) => event.onlyUserIds)).size).toBe(20_000);
  const [received] = (await list(appId, 'user-77')).received;
  expect(received?.announcement?.recipientUserIds).toEqual([]);
}, 60_000);

test('what was left undone by a crash is done by whoever comes next, and nothing twice', async () => {
  const appId = newId();
  const users = Array.from({ length: 2500 }, (_, i) => `user-${i}`);
  const blocker = service.ctx.db.tx(async (tx) => {
    // Stands for a process that dies in the middle of a slice: it has taken it and never commits.
    await tx.execute({ text: `insert into inbox values ($1, 'user-1', 0, 0, 0)`, values: [appId] });
    const created = await create(appId, users);
    await until(async () => (await countRows('fan_out where app_id = $1', appId)) < 3 || undefined, {
      withinMs: 10_000,
      what: 'some slices are done',
    });
    throw Object.assign(new Error('died'), { id: created.announcement?.id });
  });
  await expect(blocker).rejects.toThrow('died');
  service = await service.restart();
  await untilFannedOut(appId);
  expect(await countRows('received where app_id = $1', appId)).toBe(users.length);
  expect(await countRows('inbox where app_id = $1 and head = 1 and listed = 1', appId)).toBe(users.length);
}, 60_000);

test('several at once fan out without giving anything twice or locking each other out', async () => {
  const appId = newId();
  const users = Array.from({ length: 1500 }, (_, i) => `user-${i}`);
  await Promise.all(Array.from({ length: 4 }, () => create(appId, users)));
  await Promise.all([1, 2, 3].map(() => createFanOut(service.ctx).run()));
  await untilFannedOut(appId);
  expect(await countRows('inbox where app_id = $1 and head = 4 and listed = 4', appId)).toBe(1500);
  expect(await countRows('received where app_id = $1', appId)).toBe(6000);
}, 60_000);

test('the same request twice is one announcement, and another one with its id is told so', async () => {
  const appId = newId();
  const ids = { id: newId(), requestId: newId() };
  const first = await create(appId, ['ada'], ids);
  const again = await create(appId, ['ada'], ids);
  expect([first.idInUse, again.idInUse]).toEqual([false, false]);
  const other = await create(appId, ['ada'], { id: ids.id });
  expect(other).toMatchObject({ idInUse: true, announcement: { id: ids.id } });
  await untilFannedOut(appId);
  expect((await list(appId, 'ada')).received).toHaveLength(1);
});

test('without the sender, or without anybody to get it, nothing is stored', async () => {
  const appId = newId();
  const refused = async (call: Promise<unknown>) =>
    problemOf(await call.catch((error: unknown) => error))?.id;
  expect(await refused(create(appId, ['nobody', 'nobody-else']))).toBe('invalid_property');
  const request = {
    appId,
    id: newId(),
    requestId: newId(),
    senderUserId: 'nobody',
    recipientUserIds: ['ada'],
  };
  expect(await refused(service.announcement.createAnnouncement({ ...request, parts: [part] }))).toBe(
    'not_found',
  );
  expect(await countRows('announcement where app_id = $1', appId)).toBe(0);
});

type Entry = { id: string; status: RecipientStatus; deleted: boolean };

test('lists, counts and statuses are what receipts and deletions so far made of them', async () => {
  const step = fc.record({
    what: fc.constantFrom('create' as const, 'deliver' as const, 'read' as const, 'delete' as const),
    pick: fc.nat(5),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
      const appId = newId();
      const model: Entry[] = [];
      for (const { what, pick } of steps) {
        if (what === 'create') {
          const { announcement } = await create(appId, ['ada', 'bob']);
          await untilFannedOut(appId);
          model.push({ id: announcement!.id, status: RecipientStatus.SENT, deleted: false });
        } else await act(appId, model[pick % Math.max(1, model.length)], what);
        await compare(appId, model);
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);

async function act(
  appId: string,
  entry: Entry | undefined,
  what: 'deliver' | 'read' | 'delete',
): Promise<void> {
  if (!entry) return;
  const one = { appId, userId: 'ada', id: entry.id };
  if (what === 'delete') {
    await service.announcement.deleteReceivedAnnouncement(one);
    entry.deleted = true;
    return;
  }
  const type = what === 'read' ? ReceiptType.READ : ReceiptType.DELIVERY;
  const call = service.announcement.recordAnnouncementReceipt({ ...one, type });
  if (entry.deleted) return expect(call).rejects.toThrow();
  await call;
  const status = what === 'read' ? RecipientStatus.READ : RecipientStatus.DELIVERED;
  entry.status = Math.max(entry.status, status);
}

async function compare(appId: string, model: Entry[]): Promise<void> {
  const expected = model.filter(({ deleted }) => !deleted).reverse();
  const { received, total } = await list(appId, 'ada');
  expect(total).toBe(expected.length);
  expect(received.map((one) => [one.announcement?.id, one.status])).toEqual(
    expected.map(({ id, status }) => [id, status]),
  );
  const unread = expected.filter(({ status }) => status !== RecipientStatus.READ).length;
  const rows = await service.ctx.db.query<{ unread: number }>({
    text: `select unread from inbox where app_id = $1 and user_id = 'ada'`,
    values: [appId],
  });
  expect(rows[0]?.unread ?? 0).toBe(unread);
  expect((await list(appId, 'bob')).total).toBe(model.length);
}

test('a replay of announcements is complete for 30 days', async () => {
  const appId = newId();
  await create(appId, ['ada']);
  await untilFannedOut(appId);
  const replay = async (days: number) => {
    const fromTimestamp = Date.now() - days * DAY_MS;
    const answer = await service.changeLog.listUserEvents({ appId, userId: 'ada', fromTimestamp });
    return { changes: answer.events.length, complete: answer.complete };
  };
  expect(await replay(29)).toEqual({ changes: 1, complete: true });
  expect(await replay(32)).toEqual({ changes: 1, complete: false });
});
