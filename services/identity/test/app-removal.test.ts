import { expectRemoval } from '@parley/kit/testing/app-removal';
import { createTestApp, logIn, uuidOf } from './support/app.ts';
import { listenToEvents, startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

test('a deleted application leaves its id, its administrators’ actions, and its revocations for a day', async () => {
  const { db, admin, bus, clock } = platform;
  const [app, otherApp] = [await createTestApp(platform), await createTestApp(platform)];
  for (const each of [app, otherApp]) await logIn(platform, each, 'ann');
  await admin.suspendUser({ appUuid: app.uuid, userId: 'ann' });
  const events = await listenToEvents(bus, app.uuid);
  await expectRemoval({
    db,
    appIds: { deleted: app.uuid, other: otherApp.uuid },
    deleteApp: (appId) => admin.deleteApp({ appUuid: appId }),
    pass: () => clock.advance(5_000),
    // Revocations of the session, the user and the application, and one that the test inserted; audit entries of the
    // created application, provider and key and of the deletion.
    kept: { revocation: 4, audit_entry: 4 },
    transient: ['follow_request', 'follower_notice', 'presence_hold'],
  });
  const keys = 'select from provider_key where provider_id = $1';
  expect(await db.execute({ text: keys, values: [uuidOf(app.providerId)] })).toBe(0);
  expect(await db.execute({ text: keys, values: [uuidOf(otherApp.providerId)] })).toBe(1);
  // Published again for services of the previous release.
  const published = await events.wait(2);
  expect(published.filter(({ body }) => body.case === 'appDeleted')).toHaveLength(2);
  events.close();
}, 60_000);
