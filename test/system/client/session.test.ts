import { memoryStorage } from '@parley/client';
import { createApp, textPart, type TestApp } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { shown, testClients } from './support.ts';

let app: TestApp;
const open = testClients(() => app);

beforeAll(async () => {
  app = await createApp(await platform(), 'sessions');
  await app.login('grace');
  await app.login('eve');
});

test('a session that the platform ended is renewed, and nothing is lost', async () => {
  const client = open('ada', { userId: 'ada' });
  const conversation = await client.createConversation({ participants: ['grace'] });
  await (await conversation.send('one')).settled();
  await app.server('DELETE', '/users/ada/sessions', 204);
  expect((await (await conversation.send('two')).settled()).position).toBe(2);
  await shown(client.connection, ({ status }) => status === 'online');
});

test('the token of another user is noticed before anything is applied or sent', async () => {
  const storage = memoryStorage();
  const first = open('ada', { storage, userId: 'ada' });
  await shown(first.connection, ({ status }) => status === 'online');
  first.disconnect();
  const conversation = await first.createConversation({ participants: ['grace'] });
  await conversation.send('from Ada');
  await first.destroy();
  await app.server('DELETE', '/users/ada/sessions', 204);

  const heard: unknown[] = [];
  const second = open('mallory', { storage, userId: 'ada' });
  second.on('otherUser', (event) => heard.push(event));
  const stopped = await shown(second.connection, ({ status }) => status === 'stopped');
  expect([stopped.error?.id, heard[0]]).toEqual(['other_user', { expected: 'ada', found: 'mallory' }]);
  const { body } = await (await app.login('grace')).call('GET', '/conversations', 200);
  expect(body.filter(({ id }: { id: string }) => id === conversation.id)).toEqual([]);
});

test('logging out ends the session and removes the records', async () => {
  const storage = memoryStorage();
  const client = open('ada', { storage });
  await (await (await client.createConversation({ participants: ['grace'] })).send('one')).settled();
  await client.logout();
  await expect(client.request('GET', '/conversations')).rejects.toMatchObject({ id: 'destroyed' });
  const next = open('grace', { storage });
  await next.ready;
  expect(next.user?.user_id).toBe('grace');
});

test('answers of a session that has ended are dropped', async () => {
  const storage = memoryStorage();
  const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // A network on which an answer comes late, although its request was given up.
  const fetchLate: typeof fetch = async (input, { signal: _, ...init } = {}) => {
    const response = await fetch(input, init);
    if (!String(input).includes('/messages?')) return response;
    asked.resolve();
    await late.promise;
    return response;
  };
  const grace = await app.login('grace');
  const { body } = await grace.call('POST', '/conversations', 201, { body: { participants: ['ada'] } });
  // More than the list brings.
  for (const text of ['one', 'two'])
    await grace.call('POST', `${body.url}/messages`, 201, { body: { parts: [textPart(text)] } });

  const client = open('ada', { storage, fetch: fetchLate });
  await shown(client.conversation(body.id), (now) => now !== undefined, 'the conversation');
  const reading = expect(client.messages(body.id, { pageSize: 2 }).loadOlder()).rejects.toThrow();
  await asked.promise;
  await client.logout();
  late.resolve();
  await reading;
  const after = open('ada', { storage, userId: 'ada', url: 'http://127.0.0.1:9' });
  await after.ready;
  expect(after.conversation(body.id).getSnapshot()).toBeUndefined();
  expect(after.messages(body.id).getSnapshot().items).toEqual([]);
});

/** Ids of a user's devices that pushes are sent to. */
async function devicesOf(userId: string): Promise<string[]> {
  const { devices } = await app.admin('ListUserDevices', { app_uuid: app.appUuid, user_id: userId });
  return (devices as { device_id: string }[]).map(({ device_id: id }) => id);
}

test('pushes to a device are registered, and end with the registration or at logout', async () => {
  const client = open('ada');
  await client.push.register({ token: 'token-1', type: 'fcm', deviceId: 'of Ada' });
  expect(await devicesOf('ada')).toEqual(['of Ada']);
  await client.push.unregister();
  expect(await devicesOf('ada')).toEqual([]);
  await client.push.register({ token: 'token-2', type: 'fcm', deviceId: 'of Ada' });
  expect(await devicesOf('ada')).toEqual(['of Ada']);
  await client.logout();
  expect(await devicesOf('ada')).toEqual([]);
});

test('a device that is not named is the same one with another token, and after a restart', async () => {
  const storage = memoryStorage();
  const client = open('grace', { storage });
  await client.push.register({ token: 'first', type: 'apns' });
  const named = await devicesOf('grace');
  expect(named).toEqual([expect.stringMatching(/^device-[\w-]{36}$/)]);
  await client.push.register({ token: 'second', type: 'apns' });
  await client.destroy();
  const next = open('grace', { storage });
  await next.push.register({ token: 'third', type: 'apns' });
  expect(await devicesOf('grace')).toEqual(named);
  await next.logout();
  expect(await devicesOf('grace')).toEqual([]);
});

test('a store is shown before the network answers', async () => {
  const storage = memoryStorage();
  const before = open('ada', { storage });
  const conversation = await before.createConversation({ participants: ['grace'] });
  await (await conversation.send('kept')).settled();
  await shown(before.conversations(), ({ items }) => items[0]?.lastMessage?.state === 'sent');
  await before.destroy();
  const after = open('ada', { storage, url: 'http://127.0.0.1:9' });
  const { items } = await shown(after.conversations(), ({ status }) => status === 'ready');
  expect(items.map(({ lastMessage }) => lastMessage?.text)).toContain('kept');
  expect(after.connection.getSnapshot().status).not.toBe('online');
});

test('typing, presence and announcements reach the other user', async () => {
  const [ada, grace] = [open('ada'), open('grace')];
  const conversation = await ada.createConversation({ participants: ['grace'] });
  await (await conversation.send('one')).settled();
  const { items } = await shown(grace.conversations(), (list) =>
    list.items.some(({ id }) => id === conversation.id),
  );
  const theirs = items.find(({ id }) => id === conversation.id);
  conversation.setTyping(true);
  const typists = theirs!.typists();
  expect((await shown(typists, (now) => now.length > 0)).map(({ user_id }) => user_id)).toEqual(['ada']);
  conversation.setTyping(false);
  await shown(typists, (now) => now.length === 0);

  const presence = grace.presence(['ada']);
  await shown(presence, (now) => now['ada']?.status === 'available');
  await ada.setPresence('busy');
  await shown(presence, (now) => now['ada']?.status === 'busy');

  const announcements = grace.announcements();
  await shown(announcements, ({ status }) => status === 'ready');
  const sender = await app
    .server('POST', '/users/newsroom/identity', 201, { body: { display_name: 'News' } })
    .catch(() => undefined);
  expect(sender).toBeDefined();
  const parts = [{ mime_type: 'text/plain', body: 'Version 2' }];
  await app.server('POST', '/announcements', 202, {
    body: { recipients: ['grace'], sender_id: 'newsroom', parts },
  });
  const news = await shown(announcements, (list) => list.items.length === 1);
  expect(news.items[0]?.is_unread).toBe(true);
  const reader = await app.login('grace');
  grace.disconnect();
  await grace.markAnnouncementRead(news.items[0]!.id);
  expect(announcements.getSnapshot().items[0]?.is_unread).toBe(false);
  grace.connect();
  const isRead = async () => {
    const { body } = await reader.call('GET', '/announcements', 200);
    return (body as { is_unread: boolean }[])[0]?.is_unread === false || undefined;
  };
  await until('the platform has the receipt', isRead);
  expect(announcements.getSnapshot().items[0]?.is_unread).toBe(false);
  await grace.deleteAnnouncement(news.items[0]!.id);
  await shown(announcements, (list) => list.items.length === 0);

  await grace.blocks.add('eve');
  expect(await grace.blocks.list()).toEqual(['eve']);
  expect(await grace.following.list()).toContain('ada');
});
