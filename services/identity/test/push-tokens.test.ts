import { randomUUID } from 'node:crypto';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { expectProblem } from '@parley/domain/testing/problems';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { createTestApp, logIn, type TestApp } from './support/app.ts';
import { startIdentity, type Platform } from './support/platform.ts';
import { resolve } from './support/tokens.ts';

const GATEWAY = randomUUID();
const KEYS = { p256dh: 'a point', auth: 'a secret' };

let platform: Platform;
let app: TestApp;
let channel: ReturnType<typeof createRpcChannel>;

beforeAll(async () => {
  platform = await startIdentity();
  channel = createRpcChannel({
    address: `127.0.0.1:${platform.service.address.rpc_port}`,
    secret: platform.service.context.config.rpcSecret,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
});
afterAll(async () => {
  channel.close();
  await platform.stop();
});
beforeEach(async () => {
  app = await createTestApp(platform);
});

/** A session of a user, with the id that gateways know it by. */
async function open(userId: string) {
  const token = await logIn(platform, app, userId);
  const [outcome] = await resolve(platform, [{ kind: 'session', token }]);
  if (outcome?.case !== 'caller') throw new Error('the session is not found');
  return { userId, token, sessionId: outcome.value.id };
}

type Registered = { userId: string; sessionId?: string };

function register(
  { userId, sessionId = '' }: Registered,
  token: { deviceId: string; token: string; type?: string; details?: Record<string, typeof KEYS> },
) {
  const registered = { type: 'fcm', ...token };
  return channel
    .client(PushTokenService)
    .registerPushToken({ appId: app.uuid, userId, sessionId, token: registered });
}

/** `user/device` of each registration. */
async function registrations(...userIds: string[]): Promise<string[]> {
  const { targets } = await channel.client(PushTokenService).listPushTargets({ appId: app.uuid, userIds });
  return targets.flatMap(({ userId, tokens }) => tokens.map(({ deviceId }) => `${userId}/${deviceId}`));
}

test('a target says whether the user is connected, and which incarnation of the user it is of', async () => {
  const targetOf = async (userId: string) => {
    const { targets } = await channel
      .client(PushTokenService)
      .listPushTargets({ appId: app.uuid, userIds: [userId] });
    const { connected, incarnation } = targets[0]!;
    return { connected, incarnation };
  };
  await register(await open('ada'), { deviceId: 'phone', token: 'one' });
  const report = (connected: boolean) =>
    platform.presences.reportPresences({
      gatewayId: GATEWAY,
      reports: [{ appId: app.uuid, userId: 'ada', connected }],
    });
  expect(await targetOf('ada')).toEqual({ connected: false, incarnation: 0 });
  await report(true);
  expect(await targetOf('ada')).toEqual({ connected: true, incarnation: 0 });
  await platform.identity.eraseUser({ appId: app.uuid, userId: 'ada' });
  await register(await open('ada'), { deviceId: 'phone', token: 'one' });
  expect((await targetOf('ada')).incarnation).toBeGreaterThan(0);
});

test('logging out ends the pushes to the device, and to no other one', async () => {
  const [phone, tablet] = [await open('ada'), await open('ada')];
  await register(phone, { deviceId: 'phone', token: 'one' });
  await register(tablet, { deviceId: 'tablet', token: 'two' });
  await register({ userId: 'ada' }, { deviceId: 'kiosk', token: 'three' });
  await platform.identity.deleteSession({ appId: app.uuid, userId: 'ada', sessionToken: phone.token });
  expect(await registrations('ada')).toEqual(['ada/kiosk', 'ada/tablet']);
  await platform.identity.deleteUserSessions({ appId: app.uuid, userId: 'ada' });
  expect(await registrations('ada')).toEqual([]);
});

test('a session that has ended registers no device', async () => {
  const session = await open('ada');
  await platform.identity.deleteSession({ appId: app.uuid, userId: 'ada', sessionToken: session.token });
  await expectProblem(register(session, { deviceId: 'phone', token: 'one' }), 'authentication_required');
  await expectProblem(
    register({ userId: 'ada', sessionId: 'no uuid' }, { deviceId: 'phone', token: 'one' }),
    'authentication_required',
  );
});

test('a token moves with its device to the next user, and to a user’s next device', async () => {
  const [ada, bob] = [await open('ada'), await open('bob')];
  await register(ada, { deviceId: 'phone', token: 'one' });
  await register(bob, { deviceId: 'phone', token: 'one', type: 'gcm' });
  expect(await registrations('ada', 'bob')).toEqual(['bob/phone']);
  await register(bob, { deviceId: 'new phone', token: 'one' });
  expect(await registrations('ada', 'bob')).toEqual(['bob/new phone']);
});

const WEB = { token: 'https://fcm.googleapis.com/fcm/send/one', type: 'web' };

test.each([
  ['the same device', { token: 'one' }, { token: 'one', deviceId: 'device' }],
  ['another device', { token: 'one' }, { token: 'one', deviceId: 'other' }],
  ['the old name of the type', { token: 'one' }, { token: 'one', type: 'gcm', deviceId: 'other' }],
  [
    'a subscription with its keys',
    { ...WEB, details: { keys: KEYS } },
    { ...WEB, deviceId: 'other', details: { keys: KEYS } },
  ],
  [
    'a subscription with other keys',
    { ...WEB, details: { keys: KEYS } },
    { ...WEB, deviceId: 'other', details: { keys: { ...KEYS, auth: 'another' } } },
  ],
])('the last user who shows a token has it: on %s', async (_, before, shown) => {
  const [ada, bob] = [await open('ada'), await open('bob')];
  const mine = { ...before, deviceId: 'device' };
  await register(ada, mine);
  await register(ada, { deviceId: 'tablet', token: 'two' });
  await register(bob, shown);
  expect(await registrations('ada', 'bob')).toEqual(['ada/tablet', `bob/${shown.deviceId}`]);
  await register(ada, mine);
  expect(await registrations('ada', 'bob')).toEqual(['ada/device', 'ada/tablet']);
});

test('a token that a server or an expired session registered moves as well', async () => {
  const session = await open('ada');
  await register(session, { deviceId: 'phone', token: 'one' });
  await platform.db.execute({
    text: `update session set expires_at = created_at where id = $1`,
    values: [session.sessionId],
  });
  await register(await open('bob'), { deviceId: 'other', token: 'one' });
  await register({ userId: 'bob' }, { deviceId: 'kiosk', token: 'one' });
  await register(await open('dan'), { deviceId: 'mine', token: 'one' });
  expect(await registrations('ada', 'bob', 'dan')).toEqual(['dan/mine']);
});

test('of many users who show a token at once, one has it', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, n) => open(`user-${n}`)));
  const userIds = people.map(({ userId }) => userId);
  for (const token of ['one', 'two', 'three']) {
    await Promise.all(people.map((person) => register(person, { deviceId: `of ${person.userId}`, token })));
    expect(await registrations(...userIds)).toHaveLength(1);
  }
});

test('users who swap their devices at once have one token each at most', async () => {
  const [ada, bob] = [await open('ada'), await open('bob')];
  for (let turn = 0; turn < 10; turn++) {
    const [first, second] = turn % 2 === 0 ? ['one', 'two'] : ['two', 'one'];
    await Promise.all([
      register(ada, { deviceId: 'phone', token: first! }),
      register(bob, { deviceId: 'phone', token: second! }),
    ]);
    const found = await platform.db.query<{ token: string }>({
      text: `select token from push_token where app_id = $1 order by token`,
      values: [app.uuid],
    });
    expect(found.map(({ token }) => token)).toEqual([...new Set(found.map(({ token }) => token))]);
  }
});

test('the tokens of another application stay', async () => {
  await register(await open('ada'), { deviceId: 'phone', token: 'one' });
  const first = app;
  app = await createTestApp(platform);
  await register(await open('bob'), { deviceId: 'phone', token: 'one' });
  app = first;
  expect(await registrations('ada')).toEqual(['ada/phone']);
});

test('a refused registration leaves the token with its holder', async () => {
  const [ada, bob] = [await open('ada'), await open('bob')];
  await register(ada, { deviceId: 'phone', token: 'one' });
  await platform.identity.deleteSession({ appId: app.uuid, userId: 'bob', sessionToken: bob.token });
  await expectProblem(register(bob, { deviceId: 'phone', token: 'one' }), 'authentication_required');
  expect(await registrations('ada', 'bob')).toEqual(['ada/phone']);
});

test('a browser is registered only with an endpoint of a known push service', async () => {
  const ada = await open('ada');
  const browser = { type: 'web', deviceId: 'browser', details: { keys: KEYS } };
  for (const token of ['https://evil.example/fcm.googleapis.com', 'https://10.0.0.1/', 'no address'])
    await expectProblem(register(ada, { ...browser, token }), 'invalid_property', { property: 'token' });
  expect(await registrations('ada')).toEqual([]);
  await register(ada, { ...browser, token: 'https://eu.push.services.mozilla.com/wpush/v2/one' });
  // Tokens of other types are no addresses.
  await register(ada, { type: 'fcm', deviceId: 'phone', token: 'https://evil.example/' });
  expect(await registrations('ada')).toEqual(['ada/browser', 'ada/phone']);
});

test('a deletion that names the token leaves one that was registered since', async () => {
  const { client } = channel;
  const device = { appId: app.uuid, userId: 'ada', deviceId: 'phone' };
  const ada = await open('ada');
  await register(ada, { deviceId: 'phone', token: 'new' });
  await client(PushTokenService).deletePushToken({ ...device, token: 'old' });
  expect(await registrations('ada')).toEqual(['ada/phone']);
  await client(PushTokenService).deletePushToken({ ...device, token: 'new' });
  expect(await registrations('ada')).toEqual([]);
});
