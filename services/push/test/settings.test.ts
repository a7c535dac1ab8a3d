import { randomUUID } from 'node:crypto';
import { expectProblem } from '@parley/domain/testing/problems';
import { pushRequested } from './support/events.ts';
import { startPushes, type Device, type Platform } from './support/platform.ts';

let platform: Platform;
let appId: string;
let browser: Device;

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  const { web, fcm, apns, known } = platform;
  for (const { received } of [web, fcm, apns]) received.length = 0;
  Object.assign(known, { devices: [], connected: new Set() });
  appId = randomUUID();
  browser = await platform.subscribe(appId, 'bob');
});

async function registerPhone(provider: 'fcm' | 'apns'): Promise<Device> {
  const token = randomUUID().replaceAll('-', '').repeat(2);
  const phone = { userId: 'bob', deviceId: randomUUID(), type: provider, token, details: {} };
  platform.known.devices.push(phone);
  const { admin, fcm } = platform;
  if (provider === 'fcm') {
    await admin.setPushCredentials({ appUuid: appId, provider, serviceAccount: fcm.serviceAccount({}) });
    return phone;
  }
  await admin.setPushCredentials({ appUuid: appId, provider, ...platform.apns.credentials });
  return phone;
}

test('settings change one by one, and belong to their application', async () => {
  const { admin } = platform;
  const none = { idsOnly: false, collapseByConversation: false, skipConnectedUsers: false };
  expect((await admin.getPushSettings({ appUuid: appId })).settings).toMatchObject(none);
  await admin.setPushSettings({ appUuid: appId, idsOnly: true });
  const { settings } = await admin.setPushSettings({ appUuid: appId, skipConnectedUsers: true });
  expect(settings).toMatchObject({ ...none, idsOnly: true, skipConnectedUsers: true });
  await admin.setPushSettings({ appUuid: appId, idsOnly: false });
  expect((await admin.getPushSettings({ appUuid: appId })).settings).toMatchObject({
    ...none,
    skipConnectedUsers: true,
  });
  expect((await admin.getPushSettings({ appUuid: randomUUID() })).settings).toMatchObject(none);
  await expectProblem(admin.setPushSettings({ appUuid: 'no uuid', idsOnly: true }), 'not_found');
});

test('with ids only no push service gets a text or a sender', async () => {
  await platform.admin.setPushSettings({ appUuid: appId, idsOnly: true });
  const [android, iphone] = [await registerPhone('fcm'), await registerPhone('apns')];
  const event = pushRequested(appId, [browser, android, iphone], { data: { room: 7 } });
  const { messageId, conversationId } = event.body.value;
  const ids = {
    message_id: `svc:///messages/${messageId}`,
    conversation_id: `svc:///conversations/${conversationId}`,
  };
  platform.apns.received.length = 0;
  await platform.publish(event);
  const [[toWeb], [toAndroid], [toIphone]] = await Promise.all([
    platform.web.wait(1),
    platform.fcm.wait(1),
    platform.apns.wait(1),
  ]);
  expect(toWeb!.payload).toEqual({ ...ids, badge: 7, data: { room: 7 } });
  expect(toAndroid!.message).toEqual({
    token: android.token,
    data: { ...ids, badge: '7', data: '{"room":7}' },
    android: { priority: 'HIGH', ttl: '86400s' },
  });
  expect(toIphone!.payload).toMatchObject({
    ...ids,
    aps: { alert: { 'loc-key': 'NEW_MESSAGE' }, badge: 7 },
  });
  expect(JSON.stringify(toIphone!.payload)).not.toMatch(/Hello|Ada/);
});

test('collapsed by conversation, pushes have the identity of their conversation', async () => {
  await platform.admin.setPushSettings({ appUuid: appId, collapseByConversation: true });
  const conversationId = randomUUID();
  const event = () => pushRequested(appId, [browser], { conversationId });
  await platform.publish(event(), event());
  const pushes = await platform.web.wait(2);
  const tag = `svc:///conversations/${conversationId}`;
  expect(pushes.map(({ payload }) => payload['tag'])).toEqual([tag, tag]);
  expect(new Set(pushes.map(({ headers }) => headers['topic'])).size).toBe(1);
  const android = await registerPhone('fcm');
  await platform.publish(pushRequested(appId, [android], { conversationId }));
  const [push] = await platform.fcm.wait(1);
  expect(push!.message).toMatchObject({ android: { notification: { tag: conversationId } } });
});

test('connected users get no push where the application says so', async () => {
  platform.known.connected = new Set(['bob']);
  await platform.publish(pushRequested(appId, [browser]));
  await platform.settled(appId, 'DELIVERED');
  const other = randomUUID();
  await platform.admin.setPushSettings({ appUuid: other, skipConnectedUsers: true });
  const device = await platform.subscribe(other, 'bob');
  await platform.publish(pushRequested(other, [device]));
  await platform.settled(other, 'DROPPED: connected');
});
