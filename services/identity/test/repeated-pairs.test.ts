import { randomUUID } from 'node:crypto';
import { countAppRows } from '@parley/kit/testing/app-table-rows';
import { BlockStep_Operation as Operation } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

/** Logs and queues: their rows go after a time, or when they are worked off, and no list is computed from them. */
const PASSING =
  /^(audit_entry|change|consumed_event|departure|event_log|follower_notice|identity_change|outbox|revocation)/;

/** Acts that one user may repeat and undo without limit. `many-periods.test.ts` has joining and leaving. */
const pairs: Record<string, (appId: string) => [() => Promise<unknown>, () => Promise<unknown>]> = {
  'block and unblock': (appId) => {
    const change = (operation: Operation) => () =>
      platform.relations.updateBlocks({
        appId,
        ownerUserId: 'ada',
        steps: [{ operation, userIds: ['bob'] }],
      });
    return [change(Operation.ADD), change(Operation.REMOVE)];
  },
  'follow and unfollow': (appId) => {
    const pair = { appId, ownerUserId: 'ada', targetUserId: 'bob' };
    return [() => platform.relations.followUser(pair), () => platform.relations.unfollowUser(pair)];
  },
  'suspend and resume': (appId) => {
    const set = (suspended: boolean) => () =>
      platform.identity.setUserSuspended({ appId, userId: 'ada', suspended });
    return [set(true), set(false)];
  },
  'delete an identity and make it again': (appId) => [
    () => platform.identity.deleteIdentity({ appId, userId: 'ada' }),
    () => platform.identity.createIdentity({ identity: { appId, userId: 'ada', displayName: 'Ada' } }),
  ],
};

test.each(Object.keys(pairs))('to %s leaves as many rows however often it is repeated', async (name) => {
  const appId = randomUUID();
  for (const userId of ['ada', 'bob'])
    await platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
  const [act, undo] = pairs[name]?.(appId) ?? [];
  const rowsAfter = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await act?.();
      await undo?.();
    }
    const counts = Object.entries(await countAppRows(platform.db, appId));
    return Object.fromEntries(counts.filter(([table]) => !PASSING.test(table)));
  };
  const few = await rowsAfter(3);
  expect(few).toMatchObject({ identity: 2 });
  expect(await rowsAfter(6)).toEqual(few);
});
