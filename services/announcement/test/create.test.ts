import { newId } from '@parley/domain/ids';
import { countRows, createAnnouncement, listen, listIds, untilFannedOut } from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';
import { until } from '@parley/testing';
import { problemIn } from '@parley/domain/testing/problems';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

test('the answer has the id, the time, the sender, the parts and all recipients who exist, each once', async () => {
  const appId = newId();
  const id = newId();
  const before = Date.now();
  const recipients = ['ada', 'bob', 'ada', 'nobody'];
  const { announcement } = await createAnnouncement(service, { appId, id, recipients, body: 'dinner' });
  expect(announcement).toMatchObject({
    appId,
    id,
    sender: { userId: 'herald', displayName: 'Name of herald' },
    parts: [{ mimeType: 'text/plain', body: 'dinner' }],
    recipientUserIds: ['ada', 'bob'],
  });
  expect(announcement?.sentAt).toBeGreaterThanOrEqual(before);
  expect(announcement?.sentAt).toBeLessThanOrEqual(Date.now());
});

test('a repeated request is one announcement, and another request with its id is answered that it is in use', async () => {
  const appId = newId();
  const ids = { id: newId(), requestId: newId() };
  const first = await createAnnouncement(service, { appId, recipients: ['ada'], ...ids });
  const repeated = await createAnnouncement(service, { appId, recipients: ['ada'], ...ids });
  expect([first.idInUse, repeated.idInUse]).toEqual([false, false]);
  const other = await createAnnouncement(service, { appId, recipients: ['bob'], id: ids.id, body: 'other' });
  expect(other).toMatchObject({ idInUse: true, announcement: { id: ids.id, parts: [{ body: 'hear' }] } });
  await untilFannedOut(service, appId);
  expect(await listIds(service, { appId, userId: 'ada' })).toEqual([ids.id]);
  expect(await listIds(service, { appId, userId: 'bob' })).toEqual([]);
});

test('of requests with one id at the same moment one is stored', async () => {
  const appId = newId();
  const id = newId();
  const calls = Array.from({ length: 6 }, () =>
    createAnnouncement(service, { appId, id, recipients: ['ada'] }),
  );
  const answers = await Promise.all(calls);
  expect(answers.filter(({ idInUse }) => !idInUse)).toHaveLength(1);
  await untilFannedOut(service, appId);
  expect(await listIds(service, { appId, userId: 'ada' })).toEqual([id]);
});

test('without the sender, or without any recipient who exists, nothing is stored', async () => {
  const appId = newId();
  const unknown = createAnnouncement(service, { appId, recipients: ['nobody', 'nobody-else'] });
  expect(await problemIn(unknown)).toBe('invalid_property: recipients');
  const bySender = createAnnouncement(service, { appId, sender: 'nobody', recipients: ['ada'] });
  expect(await problemIn(bySender)).toBe('not_found: sender_id');
  expect(await countRows(service, 'announcement where app_id = $1', appId)).toBe(0);
  expect(await countRows(service, 'fan_out where app_id = $1', appId)).toBe(0);
});

test('the event for the audit log counts the recipients who do not exist and names the first 100', async () => {
  const appId = newId();
  const events = await listen(service.ctx, `event.${appId}.announcement.created`);
  const skipped = Array.from({ length: 103 }, (_, i) => `nobody-${i}`);
  await createAnnouncement(service, { appId, recipients: ['ada', ...skipped] });
  const event = await until(() => events[0], { withinMs: 10_000, what: 'the event is published' });
  expect(event.body.value).toMatchObject({
    recipientCount: 1,
    skippedCount: 103,
    skippedUserIds: skipped.slice(0, 100),
  });
});

test.each([
  [100, 100],
  [101, 0],
])('%i recipients: the announcement names %i of them to its readers', async (count, named) => {
  const appId = newId();
  const recipients = Array.from({ length: count }, (_, i) => `user-${i}`);
  const { announcement } = await createAnnouncement(service, { appId, recipients });
  expect(announcement?.recipientUserIds).toEqual(recipients);
  await untilFannedOut(service, appId);
  const [first] = (await service.announcement.listReceivedAnnouncements({ appId, userId: 'user-7' }))
    .received;
  expect(first?.announcement?.recipientUserIds).toEqual(recipients.slice(0, named));
});
