import { createTestApp, logIn, signToken, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startMeasured } from '../support/measured.ts';
import { listenToEvents, startIdentity, type Platform } from '../support/platform.ts';
import { findFlaw, resolve } from '../support/tokens.ts';

// Everything but the rules of the token: docs/protocol/authentication.md#sessions

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

async function findIdentity(userId: string) {
  const { identities } = await platform.identity.findIdentities({ appId: app.uuid, userIds: [userId] });
  return identities[0];
}

test('issuing a nonce writes nothing', async () => {
  const measured = await startMeasured(platform);
  await Promise.all(Array.from({ length: 20 }, () => measured.identity.issueNonce({})));
  expect(measured.statements).toBe(0);
  await measured.stop();
});

test('of twenty concurrent logins with one nonce exactly one succeeds', async () => {
  const { nonce } = await platform.identity.issueNonce({});
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      signToken(platform, app, `racer-${i % 4}`, { claims: { nce: nonce } }),
    ),
  );
  const logins = tokens.map((identityToken) =>
    platform.identity.createSession({ appId: app.id, identityToken }),
  );
  const results = await Promise.allSettled(logins);
  const won = results.filter(({ status }) => status === 'fulfilled');
  expect(won).toHaveLength(1);
  const data = { property: 'identity_token', reason: 'eit_nonce_not_found' };
  const lost = logins.filter((_, i) => results[i]?.status === 'rejected');
  await Promise.all(lost.map((login) => expectProblem(login, 'invalid_property', data)));
});

test('twenty concurrent first logins of a user succeed, and the identity is created once', async () => {
  const listener = await listenToEvents(platform.bus, app.uuid);
  await Promise.all(
    Array.from({ length: 20 }, () => logIn(platform, app, 'newcomer', { display_name: 'New' })),
  );
  expect(await findIdentity('newcomer')).toMatchObject({ displayName: 'New', version: 1 });
  await listener.wait(1);
  expect(listener.events.map(({ body }) => body)).toMatchObject([
    { case: 'identityChanged', value: { created: true, identity: { userId: 'newcomer', version: 1 } } },
  ]);
  listener.close();
});

test('only claims that are present change the identity', async () => {
  await logIn(platform, app, 'ada', {
    display_name: 'Ada',
    first_name: 'Ada',
    avatar_url: 'https://a.example/1.png',
  });
  await logIn(platform, app, 'ada', { display_name: 'Ada L.' });
  expect(await findIdentity('ada')).toMatchObject({
    displayName: 'Ada L.',
    firstName: 'Ada',
    avatarUrl: 'https://a.example/1.png',
    version: 2,
  });
});

test('a login that changes nothing raises no version and emits no event', async () => {
  const listener = await listenToEvents(platform.bus, app.uuid);
  await logIn(platform, app, 'grace', { display_name: 'Grace' });
  await logIn(platform, app, 'grace', { display_name: 'Grace' });
  await logIn(platform, app, 'grace');
  await logIn(platform, app, 'grace', { last_name: 'Hopper' });
  const events = await listener.wait(2);
  listener.close();
  expect(events.map(({ body }) => body)).toMatchObject([
    { case: 'identityChanged', value: { created: true, identity: { version: 1 }, fields: ['display_name'] } },
    { case: 'identityChanged', value: { created: false, identity: { version: 2 }, fields: ['last_name'] } },
  ]);
});

test('an event has an id of its own, the application and the time', async () => {
  const listener = await listenToEvents(platform.bus, app.uuid);
  await logIn(platform, app, 'eventful');
  const [event] = await listener.wait(1);
  listener.close();
  expect(event).toMatchObject({ appId: app.uuid, createdAt: platform.clock.now() });
  expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

test('a bot that logs in stays a bot', async () => {
  await platform.identity.createIdentity({
    identity: { appId: app.uuid, userId: 'bot', type: 2, displayName: 'Bot' },
  });
  await logIn(platform, app, 'bot', { display_name: 'Robot' });
  expect(await findIdentity('bot')).toMatchObject({ type: 2, displayName: 'Robot' });
});

test('a deleted user who logs in is a new user with a higher version', async () => {
  await logIn(platform, app, 'phoenix', { display_name: 'Phoenix', last_name: 'Old' });
  await platform.identity.deleteIdentity({ appId: app.uuid, userId: 'phoenix' });
  await logIn(platform, app, 'phoenix', { display_name: 'Phoenix II' });
  const identity = await findIdentity('phoenix');
  expect(identity).toMatchObject({ deleted: false, displayName: 'Phoenix II', version: 3 });
  expect(identity?.lastName).toBeUndefined();
});

test('a user who is suspended during a login has no session afterwards, in either order', async () => {
  for (let round = 0; round < 10; round++) {
    const user = `suspect-${round}`;
    const first = await logIn(platform, app, user);
    const [login] = await Promise.allSettled([
      logIn(platform, app, user),
      platform.admin.suspendUser({ appUuid: app.uuid, userId: user }),
    ]);
    const tokens = login.status === 'fulfilled' ? [first, login.value] : [first];
    const outcomes = await resolve(
      platform,
      tokens.map((token) => ({ kind: 'session', token })),
    );
    expect(outcomes.map((outcome) => outcome.case)).toEqual(tokens.map(() => 'problem'));
  }
});

test('a session lasts as long as the application’s setting when it was opened', async () => {
  const month = await logIn(platform, app, 'tim');
  await platform.admin.updateApp({ appUuid: app.uuid, sessionTtlInSeconds: 30 });
  const short = await logIn(platform, app, 'tim');
  platform.clock.advance(29_999);
  expect(await findFlaw(platform, short)).toBeUndefined();
  platform.clock.advance(1);
  expect(await findFlaw(platform, short)).toBe('authentication_required');
  platform.clock.advance(2_592_000_000 - 30_001);
  expect(await findFlaw(platform, month)).toBeUndefined();
  platform.clock.advance(1);
  expect(await findFlaw(platform, month)).toBe('authentication_required');
});
