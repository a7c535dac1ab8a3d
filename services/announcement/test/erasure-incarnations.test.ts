import { newId } from '@parley/domain/ids';
import { holdOffErasures } from '@parley/kit/postgres/erasure-barrier';
import { createDatabase } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { until } from '@parley/testing';
import { insertErasures } from '../src/sql/erasure.ts';
import { createAnnouncement, untilEmpty } from './support/actions.ts';
import { incarnations, startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

function db() {
  return service.ctx.db;
}

async function create(appId: string, recipients: string[], sender = 'herald'): Promise<string> {
  return (await createAnnouncement(service, { appId, recipients, sender })).announcement!.id;
}

test('an erased sender’s announcements are deleted page by page for the recipients who still have them', async () => {
  const appId = newId();
  const users = Array.from({ length: 1200 }, (_, i) => `user-${i}`);
  const first = await create(appId, users, 'eve');
  const kept = await create(appId, ['user-1', 'user-7'], 'herald');
  await create(appId, ['user-1'], 'eve');
  await untilEmpty(service, 'fan_out');
  await service.announcement.deleteReceivedAnnouncement({ appId, userId: 'user-7', id: first });
  await db().execute({ text: `insert into erasure (app_id, user_id) values ($1, 'eve')`, values: [appId] });
  await untilEmpty(service, 'erasure');
  const left = await db().query({
    text: `select announcement_id, user_id from received where app_id = $1 and deleted_at is null order by user_id`,
    values: [appId],
  });
  expect(left).toEqual(['user-1', 'user-7'].map((user_id) => ({ announcement_id: kept, user_id })));
  const counts = await db().query<{ listed: number; unread: number }>({
    text: `select distinct listed, unread from inbox where app_id = $1 order by listed`,
    values: [appId],
  });
  expect(counts).toEqual([
    { listed: 0, unread: 0 },
    { listed: 1, unread: 1 },
  ]);
}, 60_000);

test('announcements that a returned user sends and receives survive the erasure, also when its event comes twice', async () => {
  const appId = newId();
  const received = await create(appId, ['cem', 'bob']);
  await create(appId, ['bob'], 'cem');
  await untilEmpty(service, 'fan_out');
  incarnations.set('cem', 4);
  const [receivedAgain, sentAgain] = [
    await create(appId, ['cem', 'bob']),
    await create(appId, ['bob'], 'cem'),
  ];
  await untilEmpty(service, 'fan_out');
  const listOf = async (userId: string) =>
    (await service.announcement.listReceivedAnnouncements({ appId, userId, pageSize: 10 })).received.map(
      ({ announcement }) => announcement?.id,
    );
  expect(await listOf('cem')).toEqual([receivedAgain, received]);
  for (const version of [4, 4, 2]) {
    await insertErasures(db(), [{ appId, userId: 'cem', version }]);
    await untilEmpty(service, 'erasure');
    expect(await listOf('cem')).toEqual([receivedAgain]);
    expect((await listOf('bob')).sort()).toEqual([received, receivedAgain, sentAgain].sort());
    const inbox = await db().query({
      text: `select listed, unread from inbox where app_id = $1 and user_id = 'cem'`,
      values: [appId],
    });
    expect(inbox).toEqual([{ listed: 1, unread: 1 }]);
  }
  incarnations.clear();
  await insertErasures(db(), [{ appId, userId: 'cem', version: 9 }]);
  await untilEmpty(service, 'erasure');
  expect(await listOf('cem')).toEqual([]);
  expect(await listOf('bob')).toEqual([receivedAgain, received]);
  expect(
    await db().query({ text: `select from inbox where app_id = $1 and user_id = 'cem'`, values: [appId] }),
  ).toEqual([]);
}, 60_000);

test('a queued announcement is not delivered to recipients who are erased meanwhile, also when they come back', async () => {
  const appId = newId();
  const setDueAt = (dueAt: string) =>
    db().execute({ text: 'update fan_out set due_at = $2 where app_id = $1', values: [appId, dueAt] });
  await db().execute({
    text: `create function hold_back() returns trigger language plpgsql as $$ begin new.due_at = 'infinity'; return new; end $$`,
  });
  await db().execute({
    text: 'create trigger hold_back before insert on fan_out for each row execute function hold_back()',
  });
  incarnations.set('dan', 3);
  const first = await create(appId, ['cem', 'dan', 'bob']);
  await insertErasures(db(), [{ appId, userId: 'cem', version: 4 }]);
  await untilEmpty(service, 'erasure');
  incarnations.set('cem', 4);
  const second = await create(appId, ['cem']);
  await insertErasures(db(), [{ appId, userId: 'dan', version: 3 }]);
  await untilEmpty(service, 'erasure');
  await db().execute({ text: 'drop trigger hold_back on fan_out' });
  await setDueAt('-infinity');
  await create(appId, ['wake']);
  await setDueAt('-infinity');
  await untilEmpty(service, 'fan_out');
  incarnations.clear();
  const received = await db().query({
    text: `select user_id, announcement_id from received where app_id = $1 and user_id <> 'wake' order by user_id`,
    values: [appId],
  });
  expect(received).toEqual([
    { user_id: 'bob', announcement_id: first },
    { user_id: 'cem', announcement_id: second },
    { user_id: 'dan', announcement_id: first },
  ]);
}, 60_000);

test('an erasure waits for a delivery to its user that is under way, and deletes it', async () => {
  const appId = newId();
  await create(appId, ['cem']);
  await untilEmpty(service, 'fan_out');
  const { promise: ended, resolve: endDelivery } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const own = createDatabase({
    url: service.ctx.config.databaseUrl,
    applicationName: 'fan-out',
    poolSize: 1,
    log: service.ctx.log,
  });
  const delivery = own.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    await holdOffErasures(tx, [appId]);
    await tx.execute({
      text: `
        insert into received (app_id, user_id, position, announcement_id, received_at, changed_at)
        values ($1, 'cem', 2, gen_random_uuid(), now(), now())`,
      values: [appId],
    });
    start();
    await ended;
  }, HELD);
  await started;
  await insertErasures(db(), [{ appId, userId: 'cem', version: 4 }]);
  await until(
    async () =>
      (await db().execute({ text: `select from pg_locks where locktype = 'advisory' and not granted` })) >
        0 ||
      (await db().execute({ text: 'select from erasure' })) === 0 ||
      undefined,
    { withinMs: 20_000, what: 'the erasure waits' },
  );
  endDelivery();
  await delivery.finally(() => own.close());
  await untilEmpty(service, 'erasure');
  expect(
    await db().query({ text: 'select user_id from received where app_id = $1', values: [appId] }),
  ).toEqual([]);
}, 60_000);

test('an announcement whose sender is erased while it is being created is refused', async () => {
  const appId = newId();
  await insertErasures(db(), [{ appId, userId: 'eve', version: 2 }]);
  await expect(create(appId, ['bob'], 'eve')).rejects.toThrow('There is no such user.');
  incarnations.set('eve', 2);
  await create(appId, ['bob'], 'eve');
  incarnations.clear();
}, 60_000);
