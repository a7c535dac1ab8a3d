import { fromBinary } from '@bufbuild/protobuf';
import { FollowingMovedSchema } from '@parley/proto/parley/live/v1/live_pb';
import { until } from '@parley/testing';
import { createTestApp } from '../support/app.ts';
import { startIdentity, type Platform } from '../support/platform.ts';

let platform: Platform;
let appId: string;
let published: string[];
let subscription: { close(): void };

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

beforeEach(async () => {
  appId = (await createTestApp(platform)).uuid;
  for (const userId of ['ada', 'bob', 'cat']) {
    await platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
  }
  published = [];
  subscription = platform.bus.subscribeLive(`live.${appId}.*.following`, (payload) => {
    published.push(...fromBinary(FollowingMovedSchema, payload).userIds);
  });
  await platform.bus.flush();
});
afterEach(() => subscription.close());

async function untilPublished(...userIds: string[]): Promise<void> {
  await until(() => published.length >= userIds.length || undefined, {
    withinMs: 10_000,
    what: 'it is published',
  });
  expect(published.splice(0)).toEqual(userIds);
}

test('gateways are notified whose following list changed, and again a second later', async () => {
  const pair = { appId, ownerUserId: 'ada', targetUserId: 'bob' };
  await platform.relations.followUser(pair);
  await untilPublished('ada');
  platform.clock.advance(1_000);
  await untilPublished('ada');
  await platform.relations.unfollowUser(pair);
  await untilPublished('ada');
});

test('a list is answered with its stamp, and not again while the stamp is current', async () => {
  const { relations } = platform;
  await relations.followUser({ appId, ownerUserId: 'ada', targetUserId: 'bob' });
  const first = await relations.listFollowing({ appId, ownerUserId: 'ada' });
  expect(first).toMatchObject({ userIds: ['bob'], unchanged: false });
  const known = { appId, ownerUserId: 'ada', knownStamp: first.stamp };
  expect(await relations.listFollowing(known)).toMatchObject({ userIds: [], unchanged: true });
  await relations.followUser({ appId, ownerUserId: 'ada', targetUserId: 'cat' });
  expect(await relations.listFollowing(known)).toMatchObject({ userIds: ['bob', 'cat'], unchanged: false });
});
