import { newId } from '@parley/domain/ids';
import { RecipientStatus } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { until } from '@parley/testing';
import { problemIn } from '@parley/domain/testing/problems';
import {
  announce,
  countUnread,
  kindOf,
  listenLive,
  listIds,
  sendReceipt,
  type User,
} from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

const { SENT, DELIVERED, READ } = RecipientStatus;

async function statusFor(user: User, id: string): Promise<RecipientStatus | undefined> {
  return (await service.announcement.getReceivedAnnouncement({ ...user, id })).received?.status;
}

function deleteFor(user: User, id: string): Promise<unknown> {
  return service.announcement.deleteReceivedAnnouncement({ ...user, id });
}

test.each([
  { receipts: [], status: SENT, unread: 1 },
  { receipts: ['delivery'], status: DELIVERED, unread: 1 },
  { receipts: ['delivery', 'delivery'], status: DELIVERED, unread: 1 },
  { receipts: ['read'], status: READ, unread: 0 },
  { receipts: ['delivery', 'read'], status: READ, unread: 0 },
  { receipts: ['read', 'delivery'], status: READ, unread: 0 },
  { receipts: ['read', 'read'], status: READ, unread: 0 },
] as const)('after $receipts the status is $status and $unread are unread', async (expected) => {
  const ada = { appId: newId(), userId: 'ada' };
  const bob = { ...ada, userId: 'bob' };
  const id = await announce(service, { appId: ada.appId, recipients: ['ada', 'bob'] });
  for (const receipt of expected.receipts) await sendReceipt(service, { ...ada, id }, receipt);
  expect(await statusFor(ada, id)).toBe(expected.status);
  expect(await countUnread(service, ada)).toBe(expected.unread);
  expect(await statusFor(bob, id)).toBe(SENT);
  expect(await countUnread(service, bob)).toBe(1);
});

test('a receipt for an announcement that a user never received or has deleted is not_found and changes nothing', async () => {
  const ada = { appId: newId(), userId: 'ada' };
  const bob = { ...ada, userId: 'bob' };
  const id = await announce(service, { appId: ada.appId, recipients: ['ada'] });
  expect(await problemIn(sendReceipt(service, { ...bob, id }, 'read'))).toBe('not_found');
  expect(await problemIn(sendReceipt(service, { ...ada, id: newId() }, 'read'))).toBe('not_found');
  await deleteFor(ada, id);
  expect(await problemIn(sendReceipt(service, { ...ada, id }, 'delivery'))).toBe('not_found');
  expect(await countUnread(service, ada)).toBe(0);
});

test('receipts that change nothing emit no event, also when several devices send them at once', async () => {
  const ada = { appId: newId(), userId: 'ada' };
  const live = await listenLive(service, ada.appId);
  const id = await announce(service, { appId: ada.appId, recipients: ['ada'] });
  const received = { ...ada, id };
  await Promise.all(Array.from({ length: 6 }, () => sendReceipt(service, received, 'delivery')));
  await Promise.all(Array.from({ length: 6 }, () => sendReceipt(service, received, 'read')));
  await sendReceipt(service, received, 'delivery');
  await deleteFor(ada, id);
  await until(() => live.find((event) => kindOf(event) === 'announcementDeleted'), {
    withinMs: 10_000,
    what: 'the deletion, the last event, is published',
  });
  expect(live.map(kindOf)).toEqual(['announcementReceived', 'delivery', 'read', 'announcementDeleted']);
  expect(live.map(({ onlyUserIds }) => onlyUserIds)).toEqual([['ada'], ['ada'], ['ada'], ['ada']]);
  expect(await countUnread(service, ada)).toBe(0);
});

test('a deletion is the deleter’s own: other recipients keep the announcement and get no event', async () => {
  const ada = { appId: newId(), userId: 'ada' };
  const bob = { ...ada, userId: 'bob' };
  const live = await listenLive(service, ada.appId);
  const id = await announce(service, { appId: ada.appId, recipients: ['ada', 'bob'] });
  await deleteFor(ada, id);
  expect(await listIds(service, ada)).toEqual([]);
  expect(await problemIn(service.announcement.getReceivedAnnouncement({ ...ada, id }))).toBe('not_found');
  expect(await listIds(service, bob)).toEqual([id]);
  const deleted = await until(() => live.find((event) => kindOf(event) === 'announcementDeleted'), {
    withinMs: 10_000,
    what: 'the deletion is published',
  });
  expect(deleted.onlyUserIds).toEqual(['ada']);
});

test('deleting again succeeds, and deleting what was never received is not_found', async () => {
  const ada = { appId: newId(), userId: 'ada' };
  const id = await announce(service, { appId: ada.appId, recipients: ['ada'] });
  const kept = await announce(service, { appId: ada.appId, recipients: ['ada'] });
  await deleteFor(ada, id);
  await deleteFor(ada, id);
  expect(await listIds(service, ada)).toEqual([kept]);
  expect(await problemIn(deleteFor({ ...ada, userId: 'bob' }, id))).toBe('not_found');
  expect(await problemIn(deleteFor(ada, newId()))).toBe('not_found');
});

test('a read and deletions that several devices send at once are counted once', async () => {
  const ada = { appId: newId(), userId: 'ada' };
  for (let round = 0; round < 5; round++) {
    const id = await announce(service, { appId: ada.appId, recipients: ['ada'] });
    await Promise.all([
      deleteFor(ada, id),
      // The read finds the announcement, or finds it deleted.
      problemIn(sendReceipt(service, { ...ada, id }, 'read')),
      deleteFor(ada, id),
    ]);
    const page = await service.announcement.listReceivedAnnouncements(ada);
    expect([page.total, await countUnread(service, ada)]).toEqual([0, 0]);
  }
});
