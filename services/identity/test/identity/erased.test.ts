import { randomUUID } from 'node:crypto';
import { create as createMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { newId } from '@parley/domain/ids';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import type { Tx } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { until } from '@parley/testing';
import { eraseUser } from '../../src/rpc/erase-user.ts';
import { findUnknownUsers } from '../../src/rpc/find-unknown-users.ts';
import { insertFollowRequests } from '../../src/sql/follow.ts';
import { insertFollowerNotices } from '../../src/sql/follower-notice.ts';
import { upsertPushToken } from '../../src/sql/push-token.ts';
import { createFollowRequests } from '../../src/timers/follow-requests.ts';
import { createFollowerNotices } from '../../src/timers/notify-followers.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startIdentity, type Platform } from '../support/platform.ts';

// Writes of a request that races an erasure are erased or refused.

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

function create(appId: string, userId: string) {
  return platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
}

/** A new application with ada and bob. */
async function newApp(): Promise<string> {
  const appId = randomUUID();
  for (const userId of ['ada', 'bob']) await create(appId, userId);
  return appId;
}

function openPushTokens() {
  const channel = createRpcChannel({
    address: `127.0.0.1:${platform.service.address.rpc_port}`,
    secret: platform.service.context.config.rpcSecret,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  const pushTokens = channel.client(PushTokenService);
  const token = { deviceId: 'phone', token: 'one', type: 'fcm' };
  return {
    close: () => channel.close(),
    register: (appId: string, userIncarnation?: number) => {
      const session = userIncarnation === undefined ? {} : { userIncarnation };
      return pushTokens.registerPushToken({ appId, userId: 'ada', ...session, token });
    },
  };
}

function count(table: string, appId: string) {
  return platform.db.execute({ text: `select from ${table} where app_id = $1`, values: [appId] });
}

test('an earlier session registers no push token once its user is deleted, erased or back', async () => {
  const appId = await newApp();
  const ada = { appId, userId: 'ada' };
  const { close, register } = openPushTokens();
  await register(appId, 0);
  expect(await count('push_token', appId)).toBe(1);
  await platform.identity.deleteIdentity(ada);
  await expectProblem(register(appId, 0), 'authentication_required');
  const { identity: erased } = await platform.identity.eraseUser(ada);
  await expectProblem(register(appId), 'authentication_required');
  await create(appId, 'ada');
  await expectProblem(register(appId, 0), 'authentication_required');
  expect(await count('push_token', appId)).toBe(0);
  await register(appId, erased!.incarnation);
  expect(await count('push_token', appId)).toBe(1);
  close();
});

test('an erasure deletes the push tokens of a user who is deleted already', async () => {
  const appId = await newApp();
  const ada = { appId, userId: 'ada' };
  await platform.identity.deleteIdentity(ada);
  const row = {
    deviceId: 'phone',
    type: 'fcm',
    token: 'late',
    details: {},
    updatedAt: platform.clock.now(),
  };
  await upsertPushToken(platform.db, ada, row);
  await platform.identity.eraseUser(ada);
  expect(await count('push_token', appId)).toBe(0);
});

/** Begins a call while an erasure of ada, which deletes her first, holds the identity, and lets it go on once the call waits for it. */
async function raceErasure<T>(appId: string, call: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  const { context } = platform.service;
  const tx = (run: (tx: Tx) => Promise<unknown>) =>
    platform.db.tx(async (own) => {
      await own.execute(STAYS_OPEN);
      const answer = await run(own);
      if (outcome) return answer;
      outcome = Promise.allSettled([call()]);
      await until(async () => (await waiting()) > 0 || undefined, {
        withinMs: 10_000,
        what: 'the call waits',
      });
      return answer;
    }, HELD);
  const waiting = () =>
    platform.db.execute({
      text: `
        select from pg_stat_activity
        where datname = current_database() and wait_event in ('transactionid', 'tuple')`,
    });
  let outcome: Promise<PromiseSettledResult<T>[]> | undefined;
  const erasing = { ...context, db: { ...context.db, tx } as typeof context.db };
  await eraseUser(erasing, { appId, userId: 'ada' } as Parameters<typeof eraseUser>[1]);
  const [settled] = (await outcome)!;
  return settled!;
}

test('registering a device, setting a badge and following wait for an erasure, and are refused', async () => {
  const { close, register } = openPushTokens();
  const pair = { ownerUserId: 'bob', targetUserId: 'ada' };
  const calls: [string, (appId: string) => Promise<unknown>, string][] = [
    ['push_token', (appId) => register(appId, 0), 'authentication_required'],
    [
      'badge',
      (appId) => platform.identity.setExternalUnreadCount({ appId, userId: 'ada', externalUnreadCount: 3 }),
      'not_found',
    ],
    ['follow', (appId) => platform.relations.followUser({ appId, ...pair }), 'not_found'],
    ['follow', (appId) => platform.relations.unfollowUser({ appId, ...pair }), 'not_found'],
    [
      'follow_request',
      (appId) => platform.relations.followUsers({ appId, ownerUserId: 'ada', targetUserIds: ['bob'] }),
      'not_found',
    ],
  ];
  for (const [table, call, problem] of calls) {
    const appId = await newApp();
    const settled = await raceErasure(appId, () => call(appId));
    const again = settled.status === 'rejected' ? Promise.reject(settled.reason as Error) : Promise.resolve();
    await expectProblem(again, problem);
    expect([table, await count(table, appId)]).toEqual([table, 0]);
  }
  close();
}, 60_000);

test('a queued follow request has no effect once its owner or target is erased', async () => {
  for (const [owner, target] of [
    ['ada', 'bob'],
    ['bob', 'ada'],
  ] as const) {
    const appId = await newApp();
    const request = { id: randomUUID(), appId, ownerId: owner, targetIds: [target] };
    await raceErasure(appId, async () => {
      await insertFollowRequests(platform.db, [{ ...request, requestedAt: platform.clock.now() }]);
      await createFollowRequests(platform.service.context).run();
    });
    expect(await count('follow', appId)).toBe(0);
    await until(async () => (await count('follow_request', appId)) === 0 || undefined, {
      withinMs: 10_000,
      what: 'the request is done',
    });
  }
}, 60_000);

test('a user who comes back during a look-up of unknown users is never answered as known without the incarnation', async () => {
  const appId = await newApp();
  const { context } = platform.service;
  const { identity: erased } = await platform.identity.eraseUser({ appId, userId: 'ada' });
  let reads = 0;
  const query: typeof context.db.query = async (statement) => {
    const rows = await context.db.query(statement);
    if (++reads === 1) await create(appId, 'ada');
    return rows as never;
  };
  const looking = { ...context, db: { ...context.db, query } as typeof context.db };
  const request = { appId, userIds: ['ada', 'bob'] } as Parameters<typeof findUnknownUsers>[1];
  expect((await findUnknownUsers(looking, request)).userIds).toEqual(['ada']);
  expect(await findUnknownUsers(context, request)).toEqual({
    userIds: [],
    returned: [{ userId: 'ada', incarnation: erased!.incarnation }],
  });
});

test('a change that arrives after an erasure is not published to the followers of the returned user', async () => {
  const appId = await newApp();
  const { identity: erased } = await platform.identity.eraseUser({ appId, userId: 'ada' });
  await create(appId, 'ada');
  await platform.relations.followUser({ appId, ownerUserId: 'bob', targetUserId: 'ada' });
  const names: (string | undefined)[] = [];
  const subscription = platform.bus.subscribeLive(`live.${appId}.*.event`, (payload) => {
    for (const { body, onlyUserIds } of fromBinary(EventBatchSchema, payload).events)
      if (body.case === 'identityChanged' && onlyUserIds.includes('bob'))
        names.push(body.value.identity?.displayName);
  });
  await platform.bus.flush();
  const tell = async (displayName: string, incarnation: number) => {
    const identity = { appId, userId: 'ada', displayName, incarnation };
    const body = { case: 'identityChanged' as const, value: { identity } };
    const event = createMessage(EventSchema, { id: newId(), appId, body });
    const notice = { appId, eventId: event.id, userId: 'ada', event: toBinary(EventSchema, event) };
    await insertFollowerNotices(platform.db, [notice]);
    const done = async () => {
      await createFollowerNotices(platform.service.context).run();
      return (await count('follower_notice', appId)) === 0 || undefined;
    };
    await until(done, { withinMs: 10_000, what: 'the notice is done' });
  };
  await tell('Erased name', 0);
  await tell('New name', erased!.incarnation);
  await until(() => names.includes('New name') || undefined, {
    withinMs: 10_000,
    what: 'the new name is published',
  });
  expect(names).not.toContain('Erased name');
  subscription.close();
});
