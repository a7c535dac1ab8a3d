import { DAY_MS } from '@parley/domain/events/log-age';
import { sweepIdentityChanges } from '../src/timers/sweep-identity-changes.ts';
import { createTestApp } from './support/app.ts';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

test('a replay of identities is complete for 30 days, and older changes are deleted', async () => {
  const halfPastEleven = DAY_MS - 1_800_000;
  platform.clock.advance((halfPastEleven - (platform.clock.now() % DAY_MS) + DAY_MS) % DAY_MS);
  const { uuid: appId } = await createTestApp(platform);
  for (const userId of ['ada', 'bob']) {
    await platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
  }
  await platform.relations.followUser({ appId, ownerUserId: 'ada', targetUserId: 'bob' });
  const changedAt = platform.clock.now();
  const replay = async (fromTimestamp: number) => {
    const { events, complete } = await platform.changeLog.listUserEvents({
      appId,
      userId: 'ada',
      fromTimestamp,
    });
    return { changes: events.length, complete };
  };
  expect(await replay(changedAt)).toEqual({ changes: 1, complete: true });
  platform.clock.advance(30 * DAY_MS - 1000);
  await sweepIdentityChanges(platform.service.context);
  expect(await replay(changedAt)).toEqual({ changes: 1, complete: true });
  // After midnight, and within the hour for which changes are kept beyond it: the service's own timer sweeps too.
  platform.clock.advance(3_600_000);
  expect(await replay(changedAt)).toEqual({ changes: 1, complete: false });
  platform.clock.advance(2 * DAY_MS);
  await sweepIdentityChanges(platform.service.context);
  expect(await replay(changedAt)).toEqual({ changes: 0, complete: false });
});
