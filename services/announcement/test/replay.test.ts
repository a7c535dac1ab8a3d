import { newId } from '@parley/domain/ids';
import { DAY_MS } from '@parley/domain/events/log-age';
import { systemClock } from '@parley/kit/runtime/clock';
import { announce, kindOf, replay, sendReceipt, type User } from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;
let aheadMs = 0;

beforeAll(async () => {
  service = await startAnnouncement({ clock: { ...systemClock, now: () => Date.now() + aheadMs } });
});
afterAll(() => service.stop());

function now(): number {
  return service.ctx.clock.now();
}

/** Lets ten minutes pass by the service's clock: longer than the margin that a replay looks further back. */
function letTimePass(): number {
  aheadMs += 600_000;
  return now();
}

function newUser(): User {
  return { appId: newId(), userId: 'ada' };
}

async function kindsSince(user: User, since: number): Promise<string[]> {
  return (await replay(service, user, since)).map(kindOf);
}

test('a replay brings the announcements since a time in the reader’s own view, oldest first', async () => {
  const ada = newUser();
  await announce(service, { appId: ada.appId, recipients: ['ada'], body: 'old' });
  const since = letTimePass();
  const first = await announce(service, { appId: ada.appId, recipients: ['ada', 'bob'], body: 'one' });
  await announce(service, { appId: ada.appId, recipients: ['bob'], body: 'not for ada' });
  const second = await announce(service, { appId: ada.appId, recipients: ['ada'], body: 'two' });
  const events = await replay(service, ada, since);
  expect(events.map(({ body }) => body.value)).toMatchObject([
    {
      announcementId: first,
      recipients: [{ userId: 'ada', position: 2 }],
      received: { position: 2, announcement: { parts: [{ body: 'one' }] } },
    },
    {
      announcementId: second,
      recipients: [{ userId: 'ada', position: 3 }],
      received: { position: 3, announcement: { parts: [{ body: 'two' }] } },
    },
  ]);
  expect(events.map(({ onlyUserIds }) => onlyUserIds)).toEqual([['ada'], ['ada']]);
});

test('a replay brings the receipts and deletions since a time, also of older announcements', async () => {
  const ada = newUser();
  const id = await announce(service, { appId: ada.appId, recipients: ['ada'] });
  const atDelivery = letTimePass();
  await sendReceipt(service, { ...ada, id }, 'delivery');
  expect(await kindsSince(ada, 0)).toEqual(['announcementReceived', 'delivery']);
  expect(await kindsSince(ada, atDelivery)).toEqual(['delivery']);
  const atRead = letTimePass();
  await sendReceipt(service, { ...ada, id }, 'read');
  expect(await kindsSince(ada, 0)).toEqual(['announcementReceived', 'read']);
  expect(await kindsSince(ada, atRead)).toEqual(['read']);
  const atDeletion = letTimePass();
  await service.announcement.deleteReceivedAnnouncement({ ...ada, id });
  expect(await kindsSince(ada, 0)).toEqual(['announcementDeleted']);
  expect(await kindsSince(ada, atDeletion)).toEqual(['announcementDeleted']);
  expect(await kindsSince(ada, letTimePass())).toEqual([]);
});

test('an event has the same id in every replay, and no other event has it', async () => {
  const ada = newUser();
  const id = await announce(service, { appId: ada.appId, recipients: ['ada'] });
  const atRead = letTimePass();
  await sendReceipt(service, { ...ada, id }, 'read');
  const [received, read] = await replay(service, ada, 0);
  const [readAlone] = await replay(service, ada, atRead);
  await service.announcement.deleteReceivedAnnouncement({ ...ada, id });
  const [deleted] = await replay(service, ada, 0);
  expect(readAlone?.id).toBe(read?.id);
  expect(new Set([received?.id, read?.id, deleted?.id]).size).toBe(3);
});

test('a replay looks further back than it is asked to, for changes that were committed late', async () => {
  const ada = newUser();
  await announce(service, { appId: ada.appId, recipients: ['ada'] });
  expect(await kindsSince(ada, now() + 4_000)).toEqual(['announcementReceived']);
  expect(await kindsSince(ada, now() + 60_000)).toEqual([]);
});

test('a caller with another clock gives an age instead of a time', async () => {
  const ada = newUser();
  await announce(service, { appId: ada.appId, recipients: ['ada'] });
  letTimePass();
  const ask = async (fromMsAgo: number) =>
    (await service.changeLog.listUserEvents({ ...ada, fromMsAgo, fromTimestamp: 0 })).events.length;
  expect(await ask(60_000)).toBe(0);
  expect(await ask(3_600_000)).toBe(1);
});

test('a replay says that it is complete for 30 days', async () => {
  const ada = newUser();
  await announce(service, { appId: ada.appId, recipients: ['ada'] });
  async function replayDays(days: number) {
    const fromTimestamp = now() - days * DAY_MS;
    const answer = await service.changeLog.listUserEvents({ ...ada, fromTimestamp });
    return { events: answer.events.length, complete: answer.complete };
  }
  expect(await replayDays(29)).toEqual({ events: 1, complete: true });
  expect(await replayDays(32)).toEqual({ events: 1, complete: false });
});
