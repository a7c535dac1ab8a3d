import { newId } from '@parley/domain/ids';
import { RecipientStatus } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { until } from '@parley/testing';
import { problemIn } from '@parley/domain/testing/problems';
import { announce, createAnnouncement, listIds, replayPages, untilFannedOut } from './support/actions.ts';
import { displayNames, startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

type ListOptions = { fromId?: string; pageSize?: number; byteBudget?: number };

async function listPage(appId: string, options: ListOptions) {
  const page = await service.announcement.listReceivedAnnouncements({ appId, userId: 'ada', ...options });
  return { ...page, ids: page.received.map(({ announcement }) => announcement!.id) };
}

/** Ids of all pages joined; fails on an empty page in between. */
async function listAllPages(appId: string, options: ListOptions): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const { ids, total } = await listPage(appId, { ...options, fromId: all.at(-1) ?? '' });
    all.push(...ids);
    if (all.length >= total || ids.length === 0) return all;
  }
}

describe('with 105 announcements', () => {
  const appId = newId();
  let newestFirst: string[];

  beforeAll(async () => {
    const ids: string[] = [];
    for (let i = 0; i < 105; i++) {
      const { announcement } = await createAnnouncement(service, { appId, recipients: ['ada'] });
      ids.push(announcement!.id);
    }
    await untilFannedOut(service, appId);
    newestFirst = ids.reverse();
  });

  test.each([
    [0, 100],
    [1, 1],
    [99, 99],
    [100, 100],
    [101, 100],
    [1e9, 100],
  ])('page_size %i gives the newest %i and the count of all', async (pageSize, expected) => {
    const { ids, total } = await listPage(appId, { pageSize });
    expect(ids).toEqual(newestFirst.slice(0, expected));
    expect(total).toBe(105);
  });

  test.each([7, 52, 100])('pages of %i joined by from_id are the whole list', async (pageSize) => {
    expect(await listAllPages(appId, { pageSize })).toEqual(newestFirst);
  });

  test('positions number the announcements of a user from 1, without gaps', async () => {
    const first = await listPage(appId, {});
    const second = await listPage(appId, { fromId: first.ids.at(-1)! });
    const positions = [...first.received, ...second.received].map(({ position }) => position);
    expect(positions).toEqual(newestFirst.map((_, index) => 105 - index));
  });

  test('a replay comes in pages of 100, oldest first, and says each once', async () => {
    const pages = await replayPages(service, { appId, userId: 'ada' }, 0);
    expect(pages.map((page) => page.length)).toEqual([100, 5]);
    const ids = pages
      .flat()
      .map(({ body }) => body.case === 'announcementReceived' && body.value.announcementId);
    expect(ids).toEqual(newestFirst.toReversed());
  });
});

test('a page may begin after an announcement that the user has deleted', async () => {
  const appId = newId();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await announce(service, { appId, recipients: ['ada'] }));
  await service.announcement.deleteReceivedAnnouncement({ appId, userId: 'ada', id: ids[2]! });
  const { ids: rest, total } = await listPage(appId, { fromId: ids[2]! });
  expect(rest).toEqual([ids[1], ids[0]]);
  expect(total).toBe(3);
});

test('a page cannot begin after an announcement that the user never received', async () => {
  const appId = newId();
  const ofBob = await announce(service, { appId, recipients: ['bob'] });
  const ofOtherApp = await announce(service, { appId: newId(), recipients: ['ada'] });
  for (const fromId of [ofBob, ofOtherApp, newId()]) {
    expect(await problemIn(listPage(appId, { fromId }))).toBe('invalid_property: from_id');
  }
});

test('an answer ends before its byte budget, never before the first announcement, and says that more follow', async () => {
  const appId = newId();
  const body = 'x'.repeat(300_000);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await announce(service, { appId, recipients: ['ada'], body }));
  const newestFirst = ids.reverse();
  const cut = await listPage(appId, { byteBudget: 700_000 });
  expect(cut).toMatchObject({ ids: newestFirst.slice(0, 2), hasMore: true, total: 5 });
  const single = await listPage(appId, { byteBudget: 1000 });
  expect(single).toMatchObject({ ids: newestFirst.slice(0, 1), hasMore: true });
  const last = await listPage(appId, { byteBudget: 700_000, fromId: newestFirst[2]! });
  expect(last).toMatchObject({ ids: newestFirst.slice(3), hasMore: false });
  expect(await listAllPages(appId, { byteBudget: 1000 })).toEqual(newestFirst);
});

test('a replay of announcements of nearly a megabyte comes in pages that fit into a message', async () => {
  const appId = newId();
  const body = 'x'.repeat(900_000);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await announce(service, { appId, recipients: ['ada'], body }));
  const pages = await replayPages(service, { appId, userId: 'ada' }, 0);
  expect(Math.max(...pages.map((page) => page.length))).toBe(2);
  const replayed = pages.flat().map(({ body: said }) => {
    return said.case === 'announcementReceived' && said.value.received?.announcement?.id;
  });
  expect(replayed).toEqual(ids);
});

test('only recipients see an announcement, and only in its application; a server sees it without being one', async () => {
  const appId = newId();
  const id = await announce(service, { appId, recipients: ['ada'], body: 'dinner' });
  const { received } = await service.announcement.getReceivedAnnouncement({ appId, userId: 'ada', id });
  expect(received).toMatchObject({
    announcement: { appId, id, parts: [{ body: 'dinner' }], recipientUserIds: ['ada'] },
    position: 1,
    status: RecipientStatus.SENT,
  });
  const get = (user: { appId: string; userId: string }) =>
    problemIn(service.announcement.getReceivedAnnouncement({ ...user, id }));
  expect(await get({ appId, userId: 'bob' })).toBe('not_found');
  expect(await get({ appId: newId(), userId: 'ada' })).toBe('not_found');
  expect(await listIds(service, { appId, userId: 'bob' })).toEqual([]);
  const asServer = await service.announcement.getAnnouncement({ appId, id });
  expect(asServer.announcement?.id).toBe(id);
  expect(await problemIn(service.announcement.getAnnouncement({ appId: newId(), id }))).toBe('not_found');
});

test('a sender who changes their name is shown with the new one', async () => {
  const appId = newId();
  const id = await announce(service, { appId, sender: 'eve', recipients: ['ada'] });
  const nameOf = async () => {
    const { received } = await service.announcement.getReceivedAnnouncement({ appId, userId: 'ada', id });
    return received?.announcement?.sender?.displayName;
  };
  expect(await nameOf()).toBe('Name of eve');
  displayNames.set('eve', 'Eve');
  await until(async () => (await nameOf()) === 'Eve' || undefined, {
    withinMs: 5_000,
    what: 'the cached name has expired',
  });
  displayNames.clear();
});
