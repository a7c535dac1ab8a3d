import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createTestApp, signToken, type TestApp } from './support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

function hash(text: string) {
  return createHash('sha256').update(text).digest();
}
function begin(appId: string, key: string, request = 'a request') {
  return platform.operations.beginOperation({ appId, keyHash: hash(key), fingerprint: hash(request) });
}

test('an idempotency key stands for one request for a day', async () => {
  const appId = randomUUID();
  const { operationId } = await begin(appId, 'key');
  expect(await begin(appId, 'key')).toMatchObject({ operationId, differs: false });
  expect((await begin(appId, 'key', 'another')).differs).toBe(true);
  platform.clock.advance(86_400_001);
  const later = await begin(appId, 'key', 'another');
  expect(later.differs).toBe(false);
  expect(later.operationId).not.toBe(operationId);
});

test('the first answer stays, and the database holds it encrypted', async () => {
  const appId = randomUUID();
  const { operationId } = await begin(appId, 'key');
  const finish = (answer: string) =>
    platform.operations.finishOperation({ appId, keyHash: hash('key'), operationId, answer });
  expect((await finish('{"session_token":"secret"}')).answer).toBe('{"session_token":"secret"}');
  expect((await finish('{"another":1}')).answer).toBe('{"session_token":"secret"}');
  expect((await begin(appId, 'key')).answer).toBe('{"session_token":"secret"}');
  const rows = await platform.db.query<{ answer: Buffer }>({
    text: 'select kept as answer from idempotency_key where app_id = $1',
    values: [appId],
  });
  expect(rows.map(({ answer }) => answer.includes('secret'))).toEqual([false]);
});

describe('an idempotency key of a login', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp(platform);
  });
  let keys = 0;
  const newKey = () => `login ${++keys}`;
  const beginLogin = (key: string, identityToken: string, appId = app.id) =>
    platform.operations.beginOperation({
      appId: app.uuid,
      keyHash: hash(key),
      fingerprint: hash('a login'),
      login: { appId, identityToken },
    });
  const rows = async () =>
    (
      await platform.db.query<{ count: number }>({
        text: 'select count(*)::int as count from idempotency_key where app_id = $1',
        values: [app.uuid],
      })
    )[0]?.count;
  const refusedFor = (reason: string) => ({ property: 'identity_token', reason });

  test('is stored if the login would succeed, and stays valid when its nonce is used and its token expired', async () => {
    const key = newKey();
    const identityToken = await signToken(platform, app, 'ada');
    const { operationId } = await beginLogin(key, identityToken);
    await platform.identity.createSession({ appId: app.id, identityToken });
    platform.clock.advance(120_000);
    expect(await beginLogin(key, identityToken)).toMatchObject({ operationId, differs: false });
  });

  test('is not stored if the token is malformed, forged, of another application or used', async () => {
    const another = await createTestApp(platform);
    const used = await signToken(platform, app, 'ada');
    await platform.identity.createSession({ appId: app.id, identityToken: used });
    const before = await rows();
    await expectProblem(beginLogin(newKey(), 'x.y.z'), 'invalid_property');
    const forged = await signToken(platform, app, 'ada', { privateKey: another.privateKey });
    await expectProblem(
      beginLogin(newKey(), forged),
      'invalid_property',
      refusedFor('eit_signature_verification_failed'),
    );
    await expectProblem(beginLogin(newKey(), used), 'invalid_property', refusedFor('eit_nonce_not_found'));
    await expectProblem(beginLogin(newKey(), used, 'svc:///apps/staging/none'), 'invalid_app_id');
    expect(await rows()).toBe(before);
  });

  test('sent many times at once is one operation, also while one attempt logs in', async () => {
    const key = newKey();
    const identityToken = await signToken(platform, app, 'grace');
    const attempt = async () => {
      const { operationId } = await beginLogin(key, identityToken);
      const options = { headers: { 'x-operation-id': operationId } };
      return platform.identity.createSession({ appId: app.id, identityToken }, options);
    };
    const sessions = await Promise.all(Array.from({ length: 20 }, attempt));
    expect(new Set(sessions.map(({ sessionToken }) => sessionToken)).size).toBe(1);
  });
});

/** Points at which an attempt ends: at the start, after its effect, or after its answer. */
const ends = fc.constantFrom('begun', 'done', 'answered');

test('attempts that overlap and crash in any way have their effect once and get the same answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(ends, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      async (waves) => {
        const appId = randomUUID();
        const answers: string[] = [];
        const attempt = async (end: string): Promise<void> => {
          const { operationId, answer } = await begin(appId, 'key');
          if (answer !== undefined) return void answers.push(answer);
          if (end === 'begun') return;
          const headers = { 'x-operation-id': operationId };
          const { identity } = await platform.identity.createIdentity(
            { identity: { appId, userId: 'new', displayName: 'New' } },
            { headers },
          );
          if (end === 'done') return;
          const finished = await platform.operations.finishOperation({
            appId,
            keyHash: hash('key'),
            operationId,
            answer: JSON.stringify({ version: identity?.version, attempt: randomUUID() }),
          });
          answers.push(finished.answer);
        };
        for (const wave of waves) await Promise.all(wave.map(attempt));
        await attempt('answered');
        expect(new Set(answers).size).toBe(1);
        const { identities } = await platform.identity.findIdentities({ appId, userIds: ['new'] });
        expect(identities[0]?.version).toBe(1);
      },
    ),
    { numRuns: 25 },
  );
});

test('a device has one token and one user, and a suspended user gets no pushes', async () => {
  const appId = randomUUID();
  for (const userId of ['ann', 'bob']) {
    await platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
  }
  const register = (userId: string, deviceId: string, token: string) =>
    platform.pushTokens.registerPushToken({
      appId,
      userId,
      token: { deviceId, token, type: 'fcm', details: { bundle: 'x' } },
    });
  const targets = async () =>
    (await platform.pushTokens.listPushTargets({ appId, userIds: ['ann', 'bob', 'nobody'] })).targets.map(
      ({ userId, tokens }) => [userId, ...tokens.map(({ token }) => token)],
    );
  await register('ann', 'phone', 'one');
  await register('ann', 'phone', 'two');
  await register('ann', 'tablet', 'three');
  expect(await targets()).toEqual([['ann', 'two', 'three']]);
  await register('bob', 'phone', 'two');
  expect(await targets()).toEqual([
    ['ann', 'three'],
    ['bob', 'two'],
  ]);
  await platform.pushTokens.deletePushToken({ appId, userId: 'ann', deviceId: 'tablet' });
  await platform.identity.setUserSuspended({ appId, userId: 'bob', suspended: true });
  expect(await targets()).toEqual([]);
});
