import { newId } from '@parley/domain/ids';
import { until } from '@parley/testing';
import { createFanOut } from '../src/timers/fan-out.ts';
import {
  announce,
  countRows,
  createAnnouncement,
  listenLive,
  untilEmpty,
  untilFannedOut,
} from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

function userIds(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `user-${i}`);
}

/** Each recipient has exactly `each` announcements, counted and numbered from 1 without gaps. */
async function expectEachHas(appId: string, recipients: number, each: number): Promise<void> {
  const received = await countRows(service, 'received where app_id = $1', appId);
  const positions = await countRows(
    service,
    `(select distinct user_id, position from received where app_id = $1 and position between 1 and $2) p`,
    appId,
    each,
  );
  const inboxes = await countRows(
    service,
    'inbox where app_id = $1 and head = $2 and listed = $2 and unread = $2',
    appId,
    each,
  );
  expect({ received, positions, inboxes }).toEqual({
    received: recipients * each,
    positions: recipients * each,
    inboxes: recipients,
  });
}

async function untilSomeSlicesAreDone(appId: string, slices: number): Promise<void> {
  await until(
    async () => (await countRows(service, 'fan_out where app_id = $1', appId)) < slices || undefined,
    {
      withinMs: 10_000,
      what: 'some slices are done',
    },
  );
}

test('20,000 recipients get an announcement once, in slices, and events name at most 250 of them', async () => {
  const appId = newId();
  const live = await listenLive(service, appId);
  await createAnnouncement(service, { appId, recipients: userIds(20_000) });
  await untilFannedOut(service, appId);
  await expectEachHas(appId, 20_000, 1);
  const named = () => new Set(live.flatMap((event) => event.onlyUserIds));
  await until(() => named().size >= 20_000 || undefined, {
    withinMs: 10_000,
    what: 'all events are published',
  });
  expect(Math.max(...live.map((event) => event.onlyUserIds.length))).toBeLessThanOrEqual(250);
  expect(named().size).toBe(20_000);
}, 60_000);

test('events fit into a message of the broker when all recipients have the longest user ids', async () => {
  const appId = newId();
  const live = await listenLive(service, appId);
  const recipients = Array.from({ length: 1000 }, (_, i) => String(i).padStart(4, '0') + '🙂'.repeat(252));
  await announce(service, { appId, recipients });
  // A set, since an event whose acknowledgement is late is published once more.
  const named = () => new Set(live.flatMap((event) => event.onlyUserIds));
  await until(() => named().size >= 1000 || undefined, {
    withinMs: 10_000,
    what: 'all events are published',
  });
  expect([...named()].sort()).toEqual(recipients);
  expect(await countRows(service, 'outbox_dead_letter')).toBe(0);
});

test('after a crash in the middle of a slice the next process goes on, and no recipient gets it twice', async () => {
  const appId = newId();
  const crash = service.ctx.db.tx(async (tx) => {
    await tx.execute(STAYS_OPEN);
    // The slice of this user waits for the row, so that the fan-out is in the middle of it.
    await tx.execute({ text: `insert into inbox values ($1, 'user-1', 0, 0, 0)`, values: [appId] });
    await createAnnouncement(service, { appId, recipients: userIds(2500) });
    await untilSomeSlicesAreDone(appId, 3);
    await tx.execute({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    });
    throw new Error('died');
  }, HELD);
  await expect(crash).rejects.toThrow('died');
  service = await service.restart();
  // The lease of the process that died ends.
  const endLeases = `update fan_out set due_at = '-infinity' where app_id = $1`;
  await service.ctx.db.execute({ text: endLeases, values: [appId] });
  await untilFannedOut(service, appId);
  await expectEachHas(appId, 2500, 1);
}, 60_000);

test('a slice that fails is retried by itself: other recipients get the announcement at once, and its own get it later', async () => {
  const appId = newId();
  const { db } = service.ctx;
  await db.execute({
    text: `create function refuse_receipt() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
  });
  await db.execute({
    text: `create trigger refuse before insert on received for each row when (new.user_id = 'user-1500')
      execute function refuse_receipt()`,
  });
  await createAnnouncement(service, { appId, recipients: userIds(2500) });
  await until(
    async () => (await countRows(service, 'received where app_id = $1', appId)) === 1500 || undefined,
    {
      withinMs: 10_000,
      what: 'two of three slices are done',
    },
  );
  expect(await countRows(service, 'fan_out where app_id = $1', appId)).toBe(1);
  await db.execute({ text: 'drop trigger refuse on received' });
  await untilFannedOut(service, appId);
  await expectEachHas(appId, 2500, 1);
}, 60_000);

test('several workers share the slices: no recipient gets an announcement twice, and no worker locks another out', async () => {
  const appId = newId();
  const recipients = userIds(1500);
  await Promise.all(Array.from({ length: 4 }, () => createAnnouncement(service, { appId, recipients })));
  await Promise.all([1, 2, 3].map(() => createFanOut(service.ctx).run()));
  await untilEmpty(service, 'fan_out');
  await expectEachHas(appId, 1500, 4);
}, 60_000);
