import { randomUUID } from 'node:crypto';
import { createApp, identityUri, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { hasStep } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

type ReceivedJson = {
  id: string;
  is_unread: boolean;
  recipient_status: Record<string, string>;
  sender: { display_name: string };
  parts: { id: string; content: { download_url: string } | null }[];
};

let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  await app.server('POST', '/users/herald/identity', 201, { body: { display_name: 'Herald', type: 'bot' } });
  ada = await app.login('ada');
});

function draft(recipients: unknown, text = 'hear, hear') {
  return {
    recipients,
    sender_id: identityUri('herald'),
    parts: [textPart(text)],
  };
}
async function announce(recipients: unknown, text?: string, more: object = {}) {
  return (await app.server('POST', '/announcements', 202, { body: { ...draft(recipients, text), ...more } }))
    .body;
}
async function received(user: TestUser): Promise<ReceivedJson[]> {
  return (await user.call('GET', '/announcements', 200)).body;
}
function untilReceived(user: TestUser, id: string) {
  return until(`${user.id} gets it`, async () => (await received(user)).find((one) => one.id === id));
}

test('an announcement is answered with 202 and the whole object, and reaches only its recipients', async () => {
  const [bob, carol] = [await app.login('reach-bob'), await app.login('reach-carol')];
  const sent = await announce([bob.uri, 'ada'], 'to two', { notification: { text: 'look' } });
  expect(sent).toMatchObject({
    id: expect.stringMatching(/^svc:\/\/\/announcements\/[0-9a-f-]{36}$/),
    url: `${app.baseUrl}/apps/${app.appUuid}/announcements/${uuidOf(sent.id)}`,
    sent_at: expect.any(String),
    recipients: [bob.uri, ada.uri],
    sender: { user_id: 'herald', display_name: 'Herald' },
    parts: [{ mime_type: 'text/plain', body: 'to two', encoding: null, content: null }],
    notification: { text: 'look' },
  });
  const own = await untilReceived(bob, sent.id);
  const url = `${app.baseUrl}/announcements/${uuidOf(sent.id)}`;
  expect(own).toMatchObject({
    url,
    receipts_url: `${url}/receipts`,
    position: 1,
    is_unread: true,
    recipient_status: { [bob.uri]: 'sent' },
    sent_at: sent.sent_at,
    sender: { user_id: 'herald' },
  });
  expect(own.parts[0]).toMatchObject({
    id: `${sent.id}/parts/${uuidOf(own.parts[0]!.id)}`,
    message_url: url,
  });
  expect((await bob.call('GET', `/announcements/${uuidOf(sent.id)}`, 200)).body).toEqual(own);
  expect(await received(carol)).toEqual([]);
  await carol.call('GET', url, 404);
  await carol.call('DELETE', url, 404);
  await carol.call('POST', `${url}/receipts`, 404, { body: { type: 'read' } });
});

test.each<[string, object, number, object]>([
  [
    'a word for everyone',
    draft('everyone'),
    422,
    { id: 'invalid_property', data: { property: 'recipients' } },
  ],
  ['nobody', draft([]), 422, { id: 'invalid_property', data: { property: 'recipients' } }],
  ['only the unknown', draft(['who']), 422, { id: 'invalid_property', data: { property: 'recipients' } }],
  [
    'no recipients',
    { ...draft([]), recipients: null },
    422,
    { id: 'missing_property', data: { property: 'recipients' } },
  ],
  ['no sender', { ...draft(['ada']), sender_id: null }, 422, { data: { property: 'sender_id' } }],
  ['an unknown sender', { ...draft(['ada']), sender_id: 'who' }, 404, { id: 'not_found' }],
  ['a sender by name', { ...draft(['ada']), sender: { name: 'x' } }, 422, { data: { property: 'sender' } }],
  ['no parts', { ...draft(['ada']), parts: [] }, 422, { data: { property: 'parts' } }],
  [
    'a badge',
    { ...draft(['ada']), notification: { badge: 1 } },
    422,
    { data: { property: 'notification.badge' } },
  ],
  ['a bad id', { ...draft(['ada']), id: 'x' }, 400, { id: 'invalid_request_id' }],
])('is refused with %s', async (_name, body, status, error) => {
  expect((await app.server('POST', '/announcements', status, { body })).body).toMatchObject(error);
});

test('recipients who do not exist are skipped, and the audit log names them', async () => {
  const bob = await app.login('skip-bob');
  const sent = await announce(['skip-bob', 'ghost-1', 'ghost-2']);
  expect(sent.recipients).toEqual([bob.uri]);
  await untilReceived(bob, sent.id);
  const entry = await until('the audit entry', async () => {
    const { entries } = await app.admin('ListAuditEntries', { app_uuid: app.appUuid });
    return entries?.find(({ action }: { action: string }) => action === 'announcement.recipients_skipped');
  });
  expect(entry.subject).toBe(`${uuidOf(sent.id)}: ghost-1, ghost-2`);
});

test('a body over 1 MB is refused with the advice to send batches', async () => {
  const recipients = Array.from({ length: 60_000 }, (_, i) => `someone-with-a-long-name-${i}`);
  const { body } = await app.server('POST', '/announcements', 413, { body: draft(recipients) });
  expect(body).toMatchObject({ id: 'request_entity_too_large', code: 11 });
  expect(body.message).toContain('batches of recipients');
});

test('the same id is announced once', async () => {
  const id = randomUUID();
  const first = await announce(['ada'], 'once', { id });
  const { body } = await app.server('POST', '/announcements', 409, {
    body: draft(['ada'], 'twice'),
    headers: { 'if-none-match': id },
  });
  expect(body).toMatchObject({ id: 'id_in_use', data: { id: first.id, parts: [{ body: 'once' }] } });
});

test('announcements are listed newest first in pages with the same count, and a user deletes only their own copy', async () => {
  const [bob, carol] = [await app.login('list-bob'), await app.login('list-carol')];
  const ids: string[] = [];
  for (let i = 1; i <= 5; i++) {
    const { id } = await announce(['list-bob', 'list-carol'], `no. ${i}`);
    await untilReceived(bob, id);
    ids.unshift(id);
  }
  const page = async (query: string) => {
    const { body, headers } = await bob.call('GET', `/announcements?${query}`, 200);
    return { ids: body.map((one: { id: string }) => one.id), count: headers['svc-count'] };
  };
  expect(await page('page_size=2')).toEqual({ ids: ids.slice(0, 2), count: '5' });
  expect(await page(`page_size=2&from_id=${uuidOf(ids[1]!)}`)).toEqual({ ids: ids.slice(2, 4), count: '5' });
  expect(await page(`from_id=${encodeURIComponent(ids[3]!)}`)).toEqual({ ids: ids.slice(4), count: '5' });
  await bob.call('GET', `/announcements?from_id=${randomUUID()}`, 422);
  await bob.call('DELETE', `/announcements/${uuidOf(ids[1]!)}`, 204);
  await bob.call('DELETE', `/announcements/${uuidOf(ids[1]!)}`, 204);
  await bob.call('GET', `/announcements/${uuidOf(ids[1]!)}`, 404);
  expect(await page('')).toEqual({ ids: ids.filter((id) => id !== ids[1]), count: '4' });
  expect(await page(`page_size=1&from_id=${uuidOf(ids[1]!)}`)).toEqual({ ids: [ids[2]], count: '4' });
  expect((await received(carol)).length).toBe(5);
});

test('receipts only advance, and reach all sockets of the reader', async () => {
  const bob = await app.login('receipt-bob');
  const socket = await bob.connect();
  const { id } = await announce(['receipt-bob']);
  const created = await socket.waitFor('the announcement', (p) => p.body.object?.id === id);
  expect(created.body).toMatchObject({
    operation: 'create',
    object: { type: 'Announcement', id },
    data: {
      id,
      position: 1,
      is_unread: true,
      recipient_status: { [bob.uri]: 'sent' },
      recipients: [bob.uri],
    },
  });
  const receipt = (type: string, status = 204) =>
    bob.call('POST', created.body.data.receipts_url, status, { body: { type } });
  const statusNow = async () => Object.values((await received(bob))[0]!.recipient_status)[0];
  await receipt('seen', 422);
  await receipt('delivery');
  expect(await statusNow()).toBe('delivered');
  await receipt('read');
  await receipt('delivery');
  expect(await statusNow()).toBe('read');
  expect((await received(bob))[0]!.is_unread).toBe(false);
  const property = `recipient_status.${bob.uri}`;
  for (const value of ['delivered', 'read'])
    await socket.waitFor(value, (packet) => hasStep(packet, (step) => step.value === value));
  expect(socket.changes('Announcement')[1]).toMatchObject({ data: [{ operation: 'set', property }] });
  await bob.call('DELETE', `/announcements/${uuidOf(id)}`, 204);
  const deleted = await socket.waitFor('the deletion', (p) => p.body.operation === 'delete');
  expect(deleted.body).toMatchObject({ object: { type: 'Announcement', id }, data: { mode: 'my_devices' } });
  await socket.close();
});

test('events that happened while a user was offline are replayed', async () => {
  const bob = await app.login('replay-bob');
  const from_timestamp = new Date().toISOString();
  const first = await announce(['replay-bob'], 'first');
  await untilReceived(bob, first.id);
  const second = await announce(['replay-bob'], 'second');
  await untilReceived(bob, second.id);
  await bob.call('POST', `/announcements/${uuidOf(first.id)}/receipts`, 204, { body: { type: 'read' } });
  await bob.call('DELETE', `/announcements/${uuidOf(second.id)}`, 204);
  const socket = await bob.connect();
  const { data } = await socket.request('Event.replay', { data: { from_timestamp } });
  expect(data).toEqual({ complete: true });
  const told = socket.changes('Announcement').map(({ operation, object }) => [operation, object.id]);
  expect(told).toEqual([
    ['create', first.id],
    ['update', first.id],
    ['delete', second.id],
  ]);
  await socket.close();
});

test('a server reads and marks announcements for a user through the user’s paths', async () => {
  const bob = await app.login('scoped-bob');
  const { id } = await announce(['scoped-bob']);
  await untilReceived(bob, id);
  const root = `/users/scoped-bob/announcements`;
  const { body } = await app.server('GET', root, 200);
  expect(body[0]).toMatchObject({ id, url: `${app.baseUrl}/apps/${app.appUuid}${root}/${uuidOf(id)}` });
  await app.server('POST', `${root}/${uuidOf(id)}/receipts`, 204, { body: { type: 'read' } });
  expect((await received(bob))[0]!.is_unread).toBe(false);
});

test('a sender who is renamed is shown with the new name within a second', async () => {
  const bob = await app.login('rename-bob');
  await app.server('POST', '/users/town-crier/identity', 201, { body: { display_name: 'Old' } });
  const { id } = await announce(['rename-bob'], 'x', { sender_id: 'town-crier' });
  await untilReceived(bob, id);
  await app.server('PATCH', '/users/town-crier/identity', 204, { body: { display_name: 'New' } });
  await until(
    'the new name',
    async () => (await received(bob))[0]!.sender.display_name === 'New' || undefined,
    1500,
  );
});

test('content in parts works as in messages', async () => {
  const bob = await app.login('content-bob');
  const bytes = 'x'.repeat(5000);
  const { body: content } = await app.server('POST', '/users/herald/content', 201, {
    headers: { 'upload-content-type': 'text/plain', 'upload-content-length': String(bytes.length) },
  });
  const refused = {
    ...draft(['content-bob']),
    parts: [{ mime_type: 'text/plain', content: { id: content.id } }],
  };
  await app.server('POST', '/announcements', 422, { body: refused });
  await fetch(content.upload_url, { method: 'PUT', body: bytes });
  const { id } = (await app.server('POST', '/announcements', 202, { body: refused })).body;
  const own = await untilReceived(bob, id);
  const shown = own.parts[0]!.content!;
  expect(shown).toMatchObject({ id: content.id, size: bytes.length });
  expect(await (await fetch(shown.download_url)).text()).toBe(bytes);
});
