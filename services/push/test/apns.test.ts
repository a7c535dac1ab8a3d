import { randomUUID } from 'node:crypto';
import { expectProblem } from '@parley/domain/testing/problems';
import { until } from '@parley/testing';
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
  const { apns, known } = platform;
  phone = { userId: 'bob', deviceId: randomUUID(), type: 'apns', token: 'c0ffee00', details: {} };
  Object.assign(known, { devices: [phone], unwanted: new Set(), unread: 2, external: 5, isDown: false });
  apns.received.length = 0;
  apns.faults.length = 0;
  apns.respond = () => ({ status: 200 });
  appId = randomUUID();
});

function setCredentials(changes: Record<string, string> = {}) {
  const { credentials } = platform.apns;
  return platform.admin.setPushCredentials({ appUuid: appId, provider: 'apns', ...credentials, ...changes });
}

test('a push reaches Apple with the present badge, the identity of its message and a thread', async () => {
  await setCredentials();
  const event = pushRequested(appId, [phone], { data: { room: 7 } });
  const { messageId, conversationId } = event.body.value;
  await platform.publish(event);
  const [push] = await platform.apns.wait(1);
  expect(push!.payload).toEqual({
    aps: {
      alert: { title: 'Ada', body: 'Hello' },
      badge: 7,
      sound: 'ping.aiff',
      'thread-id': conversationId,
      category: 'message',
      'mutable-content': 1,
    },
    message_id: `svc:///messages/${messageId}`,
    conversation_id: `svc:///conversations/${conversationId}`,
    sender: { user_id: 'ada', display_name: 'Ada', avatar_url: 'https://chat.example/ada.png' },
    data: { room: 7 },
  });
  expect(push!.headers).toMatchObject({
    'apns-topic': 'com.example.chat',
    'apns-push-type': 'alert',
    'apns-collapse-id': messageId,
  });
  await platform.settled(appId, 'DELIVERED');
  expect(platform.apns.faults).toEqual([]);
});

test('all pushes of an application share a connection, and each application has its own', async () => {
  await setCredentials();
  const devices = Array.from({ length: 5 }, (_, number) => ({ ...phone, deviceId: `phone ${number}` }));
  platform.known.devices = devices;
  await platform.publish(pushRequested(appId, devices));
  await platform.apns.wait(5);
  const first = new Set(platform.apns.received.map(({ connection }) => connection));
  appId = randomUUID();
  await setCredentials();
  await platform.publish(pushRequested(appId, devices.slice(0, 1)));
  const [other] = (await platform.apns.wait(6)).slice(5);
  expect(first.size).toBe(1);
  expect(first).not.toContain(other!.connection);
});

test('after GOAWAY and after a lost connection pushes go by a new one, and none is lost', async () => {
  await setCredentials();
  await platform.publish(pushRequested(appId, [phone]));
  await platform.settled(appId, 'DELIVERED');
  platform.apns.goAway();
  await platform.publish(pushRequested(appId, [phone]));
  const next = async (count: number) => {
    const isDelivered = async () => {
      platform.clock.advance(3_000);
      return platform.apns.received.length >= count || undefined;
    };
    await until(isDelivered, { withinMs: 15_000, what: `${count} pushes come` });
    await platform.settled(appId, ...Array.from({ length: count }, () => 'DELIVERED'));
  };
  await next(2);
  platform.apns.respond = () => {
    platform.apns.respond = () => ({ status: 200 });
    platform.apns.cut();
    return undefined;
  };
  await platform.publish(pushRequested(appId, [phone]));
  await until(
    async () => {
      platform.clock.advance(3_000);
      return platform.apns.received.length >= 4 || undefined;
    },
    { withinMs: 15_000, what: 'the cut push is repeated' },
  );
  const identities = platform.apns.received.slice(2).map(({ headers }) => headers['apns-collapse-id']);
  expect(new Set(identities).size).toBe(1);
});

test('a device says of which environment and bundle its token is', async () => {
  await setCredentials();
  const sandbox = { ...phone, details: { environment: 'sandbox', bundle_id: 'com.example.chat.beta' } };
  platform.known.devices = [sandbox];
  await platform.publish(pushRequested(appId, [sandbox]));
  const [push] = await platform.sandbox.wait(1);
  expect(push!.headers['apns-topic']).toBe('com.example.chat.beta');
  expect(platform.apns.received).toHaveLength(0);
});

test('a token that Apple calls unregistered is deleted, unless it was registered since', async () => {
  await setCredentials();
  const registered = { ...phone, updatedAt: 2_000 };
  platform.known.devices = [registered];
  platform.apns.respond = () => ({ status: 410, reason: 'Unregistered', timestamp: 1_000 });
  await platform.publish(pushRequested(appId, [registered]));
  await platform.settled(appId, 'DEAD: 410 Unregistered');
  expect(platform.known.devices).toHaveLength(1);
  platform.apns.respond = () => ({ status: 410, reason: 'Unregistered', timestamp: 3_000 });
  await platform.publish(pushRequested(appId, [registered]));
  await platform.settled(appId, 'DEAD: 410 Unregistered', 'DEAD: 410 Unregistered');
  expect(platform.known.devices).toEqual([]);
});

test('a refusal is final, an overload is not', async () => {
  await setCredentials();
  platform.apns.respond = () => ({ status: 400, reason: 'BadDeviceToken' });
  await platform.publish(pushRequested(appId, [phone]));
  await platform.settled(appId, 'DEAD: 400 BadDeviceToken');
  platform.apns.respond = () => ({ status: 503, reason: 'Shutdown', retryAfter: '90' });
  await platform.publish(pushRequested(appId, [phone]));
  const [, row] = await platform.settled(appId, 'DEAD: 400 BadDeviceToken', 'PENDING: 503 Shutdown');
  expect(row!.due_at - platform.clock.now()).toBe(90_000);
});

test('a token that is none is never put into a path', async () => {
  await setCredentials();
  const broken = { ...phone, token: '../../evil' };
  platform.known.devices = [broken];
  await platform.publish(pushRequested(appId, [broken]));
  await platform.settled(appId, 'DEAD: the token is not hexadecimal');
});

test('the largest push fits', async () => {
  await setCredentials();
  const text = '\u0001😀'.repeat(1_024);
  await platform.publish(pushRequested(appId, [phone], { notification: { title: text, text, sound: text } }));
  await platform.apns.wait(1);
  expect(platform.apns.faults).toEqual([]);
});

test.each([
  ['a key of another curve', 'private_key', { privateKey: 'key' }],
  ['a key id that is none', 'key_id', { keyId: 'x' }],
  ['a team that is none', 'team_id', { teamId: '' }],
  ['a topic that is none', 'topic', { topic: 'a\r\nb' }],
  ['a key that Apple does not know', 'private_key', { keyId: 'KEY0000000' }],
  ['a topic of another team', 'topic', { topic: 'org.example' }],
])('credentials with %s are refused', async (_name, property, changes) => {
  const id = Object.values(changes).includes('') ? 'missing_property' : 'invalid_property';
  await expectProblem(setCredentials(changes), id, { property });
});

test('credentials are shown without the key', async () => {
  platform.apns.respond = () => ({ status: 400, reason: 'BadDeviceToken' });
  expect(await setCredentials()).toMatchObject({ isVerified: true });
  const { credentials } = await platform.admin.getPushCredentials({ appUuid: appId });
  expect(credentials).toMatchObject([
    { provider: 'apns', keyId: 'KEY4567890', teamId: 'TEAM567890', topic: 'com.example.chat' },
  ]);
  expect(JSON.stringify(credentials)).not.toContain('PRIVATE');
});
