import { newId } from '@parley/domain/ids';
import { until } from '@parley/testing';
import { problemIn } from '@parley/domain/testing/problems';
import {
  announce,
  countRows,
  countUnread,
  createAnnouncement,
  kindOf,
  listenLive,
  listIds,
  publish,
  replay,
  sendReceipt,
  untilEmpty,
} from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

/** Publishes the event of an erasure and waits until it has been worked off. */
async function erase(appId: string, userId: string, version: number): Promise<void> {
  await publish(service, appId, { case: 'userErased', value: { userId, version } });
  const isKnown = 'erased_user where app_id = $1 and user_id = $2 and version >= $3';
  await until(async () => (await countRows(service, isKnown, appId, userId, version)) > 0 || undefined, {
    withinMs: 20_000,
    what: 'the erasure is on record',
  });
  await untilEmpty(service, 'erasure');
}

test('the event of an erasure deletes what the user received, and nothing of other recipients or applications', async () => {
  const [appId, otherAppId] = [newId(), newId()];
  const id = await announce(service, { appId, recipients: ['ada', 'bob'] });
  const elsewhere = await announce(service, { appId: otherAppId, recipients: ['ada'] });
  await sendReceipt(service, { appId, userId: 'ada', id }, 'read');
  await erase(appId, 'ada', 3);
  expect(await listIds(service, { appId, userId: 'ada' })).toEqual([]);
  expect(await replay(service, { appId, userId: 'ada' }, 0)).toEqual([]);
  expect(await countRows(service, `received where app_id = $1 and user_id = 'ada'`, appId)).toBe(0);
  expect(await countRows(service, `inbox where app_id = $1 and user_id = 'ada'`, appId)).toBe(0);
  expect(await listIds(service, { appId, userId: 'bob' })).toEqual([id]);
  expect(await listIds(service, { appId: otherAppId, userId: 'ada' })).toEqual([elsewhere]);
});

test('an erased sender’s announcement is gone for its recipients, live, in lists and in replays', async () => {
  const appId = newId();
  const ada = { appId, userId: 'ada' };
  const id = await announce(service, { appId, sender: 'eve', recipients: ['ada', 'bob'], body: 'secret' });
  const kept = await announce(service, { appId, recipients: ['ada'] });
  const live = await listenLive(service, appId);
  await erase(appId, 'eve', 3);
  expect(await problemIn(service.announcement.getAnnouncement({ appId, id }))).toBe('not_found');
  expect(await problemIn(service.announcement.getReceivedAnnouncement({ ...ada, id }))).toBe('not_found');
  expect(await listIds(service, ada)).toEqual([kept]);
  expect(await countUnread(service, ada)).toBe(1);
  expect((await replay(service, ada, 0)).map(kindOf)).toEqual([
    'announcementDeleted',
    'announcementReceived',
  ]);
  await until(() => live.flatMap((event) => event.onlyUserIds).length >= 2 || undefined, {
    withinMs: 10_000,
    what: 'both recipients’ sockets get the deletion',
  });
  expect(live.map(kindOf)).toEqual(live.map(() => 'announcementDeleted'));
  expect(live.flatMap((event) => event.onlyUserIds).sort()).toEqual(['ada', 'bob']);
  const [stored] = await service.ctx.db.query<{ body: Uint8Array }>({
    text: 'select body from announcement where app_id = $1 and id = $2',
    values: [appId, id],
  });
  expect(stored?.body).toHaveLength(0);
});

test('recipients who do not have an erased sender’s announcement yet never get it', async () => {
  const appId = newId();
  const { db } = service.ctx;
  const hold = `create function hold_back() returns trigger language plpgsql as
    $$ begin new.due_at = 'infinity'; return new; end $$`;
  await db.execute({ text: hold });
  await db.execute({
    text: 'create trigger hold_back before insert on fan_out for each row execute function hold_back()',
  });
  const recipients = Array.from({ length: 1500 }, (_, i) => `user-${i}`);
  await createAnnouncement(service, { appId, sender: 'eve', recipients });
  await db.execute({ text: 'drop trigger hold_back on fan_out' });
  await db.execute({
    text: `update fan_out set due_at = '-infinity' where app_id = $1 and slice = 1`,
    values: [appId],
  });
  await until(
    async () => (await countRows(service, 'received where app_id = $1', appId)) === 500 || undefined,
    {
      withinMs: 10_000,
      what: 'the second slice is done',
    },
  );
  await erase(appId, 'eve', 3);
  expect(await countRows(service, 'fan_out where app_id = $1', appId)).toBe(0);
  expect(await countRows(service, 'received where app_id = $1 and deleted_at is null', appId)).toBe(0);
  expect(await countRows(service, 'inbox where app_id = $1 and (listed > 0 or unread > 0)', appId)).toBe(0);
});
