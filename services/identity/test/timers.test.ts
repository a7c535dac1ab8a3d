import { sweepSessions } from '../src/timers/sweep-sessions.ts';
import { sweepUsedNonces } from '../src/timers/sweep-used-nonces.ts';
import { createTestApp, logIn, signToken, type TestApp } from './support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from './support/platform.ts';
import { findFlaw } from './support/tokens.ts';

let platform: Platform;
let app: TestApp;

beforeAll(async () => {
  platform = await startIdentity();
  app = await createTestApp(platform);
});

afterAll(() => platform.stop());

async function countRows(table: 'used_nonce' | 'session'): Promise<number | undefined> {
  const [row] = await platform.db.query<{ count: number }>({ text: `select count(*) from ${table}` });
  return row?.count;
}

test('a used nonce is kept as long as it could be used again, then deleted', async () => {
  const exp = Math.floor(platform.clock.now() / 1000) + 3600;
  const identityToken = await signToken(platform, app, 'ada', { claims: { exp } });
  await platform.identity.createSession({ appId: app.id, identityToken });
  const used = () => platform.identity.createSession({ appId: app.id, identityToken });
  const data = { reason: 'eit_nonce_not_found' };
  platform.clock.advance(600_000);
  await sweepUsedNonces(platform.service.context);
  expect(await countRows('used_nonce')).toBe(1);
  await expectProblem(used(), 'invalid_property', data);
  platform.clock.advance(60_001);
  await sweepUsedNonces(platform.service.context);
  expect(await countRows('used_nonce')).toBe(0);
  await expectProblem(used(), 'invalid_property', data);
});

test('sessions that are over are deleted, and the rest stay', async () => {
  const deleted = await createTestApp(platform);
  await logIn(platform, deleted, 'ada');
  await platform.admin.deleteApp({ appUuid: deleted.uuid });
  await platform.admin.updateApp({ appUuid: app.uuid, sessionTtlInSeconds: 60 });
  await logIn(platform, app, 'ada');
  platform.clock.advance(30_000);
  const alive = await logIn(platform, app, 'ada');
  platform.clock.advance(30_000);
  expect(await countRows('session')).toBe(4);
  await sweepSessions(platform.service.context);
  expect(await findFlaw(platform, alive)).toBeUndefined();
  expect(await countRows('session')).toBe(2);
});
