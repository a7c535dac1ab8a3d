import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';

// That a push becomes a durable event is shown by the tests of the messaging service: no HTTP address shows it.

let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  ada = await app.login('ada');
  await app.login('bob');
});

test('a device is registered and removed by the user or by a server', async () => {
  const token = { token: 'abc', type: 'apns', device_id: 'phone', bundle_id: 'com.example.app' };
  expect((await ada.call('POST', '/push_tokens', 202, { body: token })).text).toBe('');
  await ada.call('POST', '/push_tokens', 202, { body: { ...token, token: 'def' } });
  await app.server('POST', '/users/ada/push_tokens', 202, { body: { ...token, type: 'fcm' } });
  await ada.call('DELETE', '/push_tokens/phone', 202);
  await ada.call('DELETE', '/push_tokens/phone', 202);
  await app.server('POST', '/users/nobody/push_tokens', 404, { body: token });
});

const wrong: [string, object, string, string][] = [
  ['no token', { type: 'fcm', device_id: 'a' }, 'missing_property', 'token'],
  ['no device', { token: 'x', type: 'fcm' }, 'missing_property', 'device_id'],
  ['an unknown type', { token: 'x', type: 'pigeon', device_id: 'a' }, 'invalid_property', 'type'],
  ['no keys', { token: 'https://push.example/1', type: 'web', device_id: 'a' }, 'missing_property', 'keys'],
  ['an empty token', { token: '', type: 'fcm', device_id: 'a' }, 'invalid_property', 'token'],
];
test.each(wrong)('a device with %s is refused', async (_name, body, id, property) => {
  expect((await ada.call('POST', '/push_tokens', 422, { body })).body).toMatchObject({
    id,
    data: { property },
  });
});

test('the key of an application is a point of P-256, the same for all its users', async () => {
  const { body } = await ada.call('GET', '/push_key', 200);
  expect(Buffer.from(body.public_key, 'base64url')).toHaveLength(65);
  expect((await app.server('GET', '/users/bob/push_key', 200)).body).toEqual(body);
});

test('a push without a message', async () => {
  const notification = { title: 'News', text: 'Something new', sound: 'ping.aiff' };
  const { text } = await app.server('POST', '/notifications', 202, {
    body: { recipients: [ada.uri, 'bob', 'nobody'], notification, ttl: 60, data: { room: 7 } },
  });
  expect(text).toBe('');
});

const refused: [string, object, string, string][] = [
  ['recipients', { notification: { text: 'x' } }, 'missing_property', 'recipients'],
  ['any recipient', { recipients: [], notification: { text: 'x' } }, 'invalid_property', 'recipients'],
  ['a list', { recipients: 'everyone', notification: { text: 'x' } }, 'invalid_property', 'recipients'],
  ['a notification', { recipients: ['ada'] }, 'missing_property', 'notification'],
];
test.each(refused)('a push without %s is refused', async (_name, body, id, property) => {
  expect((await app.server('POST', '/notifications', 422, { body })).body).toMatchObject({
    id,
    data: { property },
  });
});

test('a badge cannot be supplied', async () => {
  const body = { recipients: ['ada'], notification: { text: 'x', badge: 3 } };
  const answer = await app.server('POST', '/notifications', 422, { body });
  expect(answer.body.data.property).toBe('notification.badge');
});

test('a notification is kept with its message', async () => {
  const { body: conversation } = await ada.call('POST', '/conversations', 201, {
    body: { participants: ['bob'] },
  });
  const { body } = await ada.call('POST', `/conversations/${uuidOf(conversation.id)}/messages`, 201, {
    body: { id: randomUUID(), parts: [textPart('x')], notification: { text: 'x', title: 'Ada' } },
  });
  const again = await ada.call('GET', `/messages/${uuidOf(body.id)}`, 200);
  expect(again.body.notification).toEqual({ title: 'Ada', text: 'x', sound: null });
});
