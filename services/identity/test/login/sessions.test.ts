import { fromBinary } from '@bufbuild/protobuf';
import { liveSubject, shardOf } from '@parley/domain/events';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/testing';
import { createTestApp, logIn, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startMeasured } from '../support/measured.ts';
import { listenToEvents, startIdentity, type Platform } from '../support/platform.ts';
import { findFlaw, resolve } from '../support/tokens.ts';

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

async function createAccessToken(name = 'server', expiresAt?: number): Promise<string> {
  return (await platform.admin.createAccessToken({ appUuid: app.uuid, name, expiresAt })).token;
}

test('tokens of both kinds are resolved together, in the order asked, by one statement', async () => {
  const session = await logIn(platform, app, 'ada');
  const access = await createAccessToken();
  const measured = await startMeasured(platform);
  const outcomes = await resolve(measured, [
    { kind: 'access', token: access },
    { kind: 'session', token: 'unknown' },
    { kind: 'session', token: session },
    { kind: 'access', token: session },
    { kind: 'session', token: access },
    { kind: 'session', token: session },
  ]);
  expect(measured.statements).toBe(1);
  await measured.stop();
  const ada = { case: 'caller', value: { kind: 1, appId: app.uuid, userId: 'ada' } };
  const none = { case: 'problem', value: { id: 'authentication_required' } };
  const server = { case: 'caller', value: { kind: 2, appId: app.uuid, userId: '', expiresAt: 0 } };
  expect(outcomes).toMatchObject([server, none, ada, none, none, ada]);
});

test('an empty list of tokens gets an empty answer', async () => {
  expect(await resolve(platform, [])).toEqual([]);
});

test('tokens are stored as hashes alone', async () => {
  const tokens = [await logIn(platform, app, 'ada'), await createAccessToken()];
  const rows = await platform.db.query<{ text: string }>({
    text: `select t::text as text from session t union all select t::text from access_token t
           union all select t::text from revocation t union all select t::text from audit_entry t`,
  });
  for (const token of tokens) {
    const hex = Buffer.from(token, 'base64url').toString('hex');
    expect(rows.some(({ text }) => text.includes(token) || text.includes(hex))).toBe(false);
  }
});

test('a deleted session is over, and the user’s other sessions are not', async () => {
  const [one, other] = [await logIn(platform, app, 'ada'), await logIn(platform, app, 'ada')];
  const listener = await listenToEvents(platform.bus, app.uuid);
  await platform.identity.deleteSession({ appId: app.uuid, userId: 'ada', sessionToken: one });
  expect(await findFlaw(platform, one)).toBe('authentication_required');
  expect(await findFlaw(platform, other)).toBeUndefined();
  const [event] = await listener.wait(1);
  listener.close();
  expect(event?.body).toMatchObject({
    case: 'sessionsEnded',
    value: { userId: 'ada', sessionIds: [expect.any(String)] },
  });
});

test('the end of a session is also published live on the user’s shard', async () => {
  const sessionToken = await logIn(platform, app, 'ada');
  const published: Uint8Array[] = [];
  const { liveShards } = platform.service.context.config;
  const subject = liveSubject(app.uuid, shardOf('ada', liveShards), 'event');
  const subscription = platform.bus.subscribeLive(subject, (payload) => void published.push(payload));
  await platform.bus.flush();
  await platform.identity.deleteSession({ appId: app.uuid, userId: 'ada', sessionToken });
  const [payload] = await until(() => (published.length > 0 ? published : undefined), {
    withinMs: 10_000,
    what: 'it is published',
  });
  subscription.close();
  expect(fromBinary(EventBatchSchema, payload!).events).toMatchObject([
    { body: { case: 'sessionsEnded', value: { userId: 'ada' } } },
  ]);
});

test('a session of another user, or one that is over, is not found', async () => {
  const session = await logIn(platform, app, 'ada');
  const ended = { appId: app.uuid, userId: 'eve', sessionToken: session };
  await expectProblem(platform.identity.deleteSession(ended), 'not_found');
  expect(await findFlaw(platform, session)).toBeUndefined();
  await platform.identity.deleteSession({ ...ended, userId: 'ada' });
  await expectProblem(platform.identity.deleteSession({ ...ended, userId: 'ada' }), 'not_found');
});

test('all sessions of a user end together, and no other user’s', async () => {
  const mine = [await logIn(platform, app, 'grace'), await logIn(platform, app, 'grace')];
  const hers = await logIn(platform, app, 'ada');
  expect(await platform.identity.deleteUserSessions({ appId: app.uuid, userId: 'grace' })).toMatchObject({
    deleted: 2,
  });
  for (const token of mine) expect(await findFlaw(platform, token)).toBe('authentication_required');
  expect(await findFlaw(platform, hers)).toBeUndefined();
  await expectProblem(
    platform.identity.deleteUserSessions({ appId: app.uuid, userId: 'nobody' }),
    'not_found',
  );
});

test('suspension ends the sessions, and resuming does not bring them back', async () => {
  const session = await logIn(platform, app, 'mallory');
  await platform.identity.setUserSuspended({ appId: app.uuid, userId: 'mallory', suspended: true });
  expect(await findFlaw(platform, session)).toBe('authentication_required');
  await platform.identity.setUserSuspended({ appId: app.uuid, userId: 'mallory', suspended: false });
  expect(await findFlaw(platform, session)).toBe('authentication_required');
  const unknown = { appId: app.uuid, userId: 'nobody', suspended: true };
  await expectProblem(platform.identity.setUserSuspended(unknown), 'not_found');
});

test('tokens of a suspended application are refused for that reason, and valid again when it is resumed', async () => {
  const session = await logIn(platform, app, 'ada');
  const access = await createAccessToken();
  await platform.admin.suspendApp({ appUuid: app.uuid });
  const outcomes = await resolve(platform, [
    { kind: 'session', token: session },
    { kind: 'access', token: access },
  ]);
  expect(outcomes).toMatchObject([{ value: { id: 'app_suspended' } }, { value: { id: 'app_suspended' } }]);
  await platform.admin.resumeApp({ appUuid: app.uuid });
  expect(await findFlaw(platform, session)).toBeUndefined();
});

test('deleting an app ends its sessions and its tokens', async () => {
  const other = await createTestApp(platform);
  const session = await logIn(platform, other, 'ada');
  const { token } = await platform.admin.createAccessToken({ appUuid: other.uuid, name: 'server' });
  await platform.admin.deleteApp({ appUuid: other.uuid });
  const outcomes = await resolve(platform, [
    { kind: 'session', token: session },
    { kind: 'access', token },
  ]);
  const none = { value: { id: 'authentication_required' } };
  expect(outcomes).toMatchObject([none, none]);
});

test('an access token is valid until it expires or is deleted', async () => {
  const expiring = await createAccessToken('expiring', platform.clock.now() + 1000);
  const lasting = await createAccessToken('lasting');
  const kinds = async () => {
    const asked = [expiring, lasting].map((token) => ({ kind: 'access' as const, token }));
    return (await resolve(platform, asked)).map((outcome) => outcome.case);
  };
  expect(await kinds()).toEqual(['caller', 'caller']);
  platform.clock.advance(1000);
  expect(await kinds()).toEqual(['problem', 'caller']);
  const { accessTokens } = await platform.admin.listAccessTokens({ appUuid: app.uuid });
  await platform.admin.deleteAccessToken({
    accessTokenId: accessTokens.find(({ name }) => name === 'lasting')!.id,
  });
  expect(await kinds()).toEqual(['problem', 'problem']);
});
