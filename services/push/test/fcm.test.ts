import { randomUUID } from 'node:crypto';
import { expectProblem } from '@parley/domain/testing/problems';
import { fcmError } from '@parley/testing/doubles/fcm-service';
import { pushRequested } from './support/events.ts';
import { startPushes, type Device, type Platform } from './support/platform.ts';

let platform: Platform;
let appId: string;
let phone: Device;

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(() => {
  const { fcm, known } = platform;
  phone = { userId: 'bob', deviceId: randomUUID(), type: 'fcm', token: randomUUID(), details: {} };
  Object.assign(known, { devices: [phone], unwanted: new Set(), unread: 2, external: 5, isDown: false });
  fcm.received.length = 0;
  fcm.faults.length = 0;
  fcm.respond = (_received, response) => response.end('{"name": "one"}');
  appId = randomUUID();
});

function setCredentials(changes: Record<string, unknown> = {}) {
  const serviceAccount = platform.fcm.serviceAccount(changes);
  return platform.admin.setPushCredentials({ appUuid: appId, provider: 'fcm', serviceAccount });
}

test('a push reaches FCM with the present badge and the identity of its message', async () => {
  expect(await setCredentials()).toMatchObject({ isVerified: true });
  const gcm = { ...phone, type: 'gcm', deviceId: 'old phone' };
  platform.known.devices.push(gcm);
  const event = pushRequested(appId, [phone, gcm], { data: { room: 7 } });
  const { messageId, conversationId } = event.body.value;
  await platform.publish(event);
  const [first] = await platform.fcm.wait(2);
  expect(first!.message).toEqual({
    token: phone.token,
    notification: { title: 'Ada', body: 'Hello' },
    data: {
      message_id: `svc:///messages/${messageId}`,
      conversation_id: `svc:///conversations/${conversationId}`,
      sender: '{"user_id":"ada","display_name":"Ada","avatar_url":"https://chat.example/ada.png"}',
      badge: '7',
      data: '{"room":7}',
    },
    android: {
      priority: 'HIGH',
      ttl: '86400s',
      notification: { tag: messageId, notification_count: 7, sound: 'ping.aiff' },
    },
  });
  await platform.settled(appId, 'DELIVERED', 'DELIVERED');
  expect(platform.fcm.faults).toEqual([]);
});

test('without credentials a push to a phone is left to the operator’s connector', async () => {
  const browser = await platform.subscribe(appId, 'bob');
  await platform.publish(pushRequested(appId, [phone, browser]));
  await platform.settled(appId, 'DELIVERED');
  expect(platform.fcm.received).toHaveLength(0);
});

test('credentials are shown without secrets, and end with their deletion', async () => {
  await setCredentials();
  const { credentials } = await platform.admin.getPushCredentials({ appUuid: appId });
  expect(credentials).toMatchObject([{ provider: 'fcm', projectId: 'chat-project' }]);
  expect(JSON.stringify(credentials)).not.toContain('PRIVATE');
  const rows = await platform.ctx.db.query<{ text: string }>({
    text: 'select c::text as text from credentials c',
  });
  const hex = Buffer.from('PRIVATE KEY').toString('hex');
  for (const { text } of rows) expect(text.includes('PRIVATE KEY') || text.includes(hex)).toBe(false);
  await platform.admin.deletePushCredentials({ appUuid: appId, provider: 'fcm' });
  expect((await platform.admin.getPushCredentials({ appUuid: appId })).credentials).toEqual([]);
});

test.each([
  ['no JSON', 'service_account', 'nothing'],
  ['no project', 'service_account.project_id', { project_id: undefined }],
  ['a project that is a path', 'service_account.project_id', { project_id: '../evil' }],
  ['no key', 'service_account.private_key', { private_key: 'key' }],
  ['an account that Google does not know', 'service_account', { client_email: 'evil@example.com' }],
])('credentials with %s are refused', async (_name, property, changes) => {
  const file = typeof changes === 'string' ? changes : platform.fcm.serviceAccount(changes);
  const request = { appUuid: appId, provider: 'fcm', serviceAccount: file };
  await expectProblem(platform.admin.setPushCredentials(request), 'invalid_property', { property });
});

test('a request without a provider, or with an unknown one, is refused', async () => {
  const { admin } = platform;
  await expectProblem(admin.setPushCredentials({ appUuid: appId }), 'missing_property', {
    property: 'provider',
  });
  const pager = { appUuid: appId, provider: 'pager' };
  await expectProblem(admin.deletePushCredentials(pager), 'invalid_property', { property: 'provider' });
  await expectProblem(admin.getPushCredentials({ appUuid: 'no uuid' }), 'not_found');
  const empty = { appUuid: appId, provider: 'fcm' };
  await expectProblem(admin.setPushCredentials(empty), 'missing_property', { property: 'service_account' });
});

test('an access token serves all pushes, and is renewed when it is taken back', async () => {
  await setCredentials();
  const before = platform.fcm.granted();
  for (let number = 1; number <= 3; number += 1) {
    await platform.publish(pushRequested(appId, [phone]));
    await platform.fcm.wait(number);
  }
  expect(platform.fcm.granted()).toBe(before);
  platform.fcm.revoke();
  await platform.publish(pushRequested(appId, [phone]));
  await platform.settled(
    appId,
    'DELIVERED',
    'DELIVERED',
    'DELIVERED',
    'PENDING: 401 UNAUTHENTICATED it is UNAUTHENTICATED',
  );
  platform.clock.advance(3_000);
  await platform.settled(appId, ...Array.from({ length: 4 }, () => 'DELIVERED'));
  expect(platform.fcm.granted()).toBe(before + 1);
});

test('a token that FCM calls unregistered is deleted, others are not', async () => {
  await setCredentials();
  platform.fcm.respond = (_received, response) =>
    response.writeHead(400).end(fcmError(400, 'INVALID_ARGUMENT'));
  await platform.publish(pushRequested(appId, [phone]));
  await platform.settled(appId, 'DEAD: 400 INVALID_ARGUMENT it is INVALID_ARGUMENT');
  expect(platform.known.devices).toHaveLength(1);
  platform.fcm.respond = (_received, response) => response.writeHead(404).end(fcmError(404, 'UNREGISTERED'));
  await platform.publish(pushRequested(appId, [phone]));
  await platform.settled(
    appId,
    'DEAD: 400 INVALID_ARGUMENT it is INVALID_ARGUMENT',
    'DEAD: 404 UNREGISTERED it is UNREGISTERED',
  );
  expect(platform.known.devices).toEqual([]);
});

test('a quota that is used up delays the push as long as FCM asks', async () => {
  await setCredentials();
  platform.fcm.respond = (_received, response) =>
    response.writeHead(429, { 'retry-after': '90' }).end(fcmError(429, 'QUOTA_EXCEEDED'));
  await platform.publish(pushRequested(appId, [phone]));
  const [row] = await platform.settled(appId, 'PENDING: 429 QUOTA_EXCEEDED it is QUOTA_EXCEEDED');
  expect(row!.due_at - platform.clock.now()).toBe(90_000);
});

test('the largest push fits', async () => {
  await setCredentials();
  const text = '\u0001😀'.repeat(1_024);
  await platform.publish(
    pushRequested(appId, [phone], {
      notification: { title: text, text, sound: text },
      data: { text: text.slice(0, 300) },
    }),
  );
  await platform.fcm.wait(1);
  await platform.settled(appId, 'DELIVERED');
});

test('credentials are stored unverified when Google does not answer in time', async () => {
  platform.fcm.grants = 'silence';
  expect(await setCredentials()).toMatchObject({ isVerified: false });
  platform.fcm.grants = 'at once';
});

test('a test push says what the push service answered', async () => {
  await setCredentials();
  const request = { appUuid: appId, userId: 'bob', deviceId: phone.deviceId };
  expect(await platform.admin.sendTestPush(request)).toMatchObject({ outcome: 'delivered', reason: '' });
  platform.fcm.respond = (_received, response) =>
    response.writeHead(403).end(fcmError(403, 'SENDER_ID_MISMATCH'));
  const answer = await platform.admin.sendTestPush(request);
  expect(answer).toMatchObject({
    outcome: 'refused',
    reason: '403 SENDER_ID_MISMATCH it is SENDER_ID_MISMATCH',
  });
  await expectProblem(platform.admin.sendTestPush({ ...request, userId: 'stranger' }), 'not_found');
});
