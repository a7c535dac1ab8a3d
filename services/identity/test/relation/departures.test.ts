import { randomUUID } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/testing';
import { startIdentity, type Platform } from '../support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

function make(appId: string, userId: string) {
  return platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
}

/** ada, whom bob follows. */
async function newApp(): Promise<string> {
  const appId = randomUUID();
  for (const userId of ['ada', 'bob', 'eve']) await make(appId, userId);
  await platform.relations.followUser({ appId, ownerUserId: 'bob', targetUserId: 'ada' });
  return appId;
}

/** Publishes that users join a conversation, and waits until the service has heard of it. */
async function share(appId: string, participants: { userId: string; incarnation?: number }[]): Promise<void> {
  const conversationId = randomUUID();
  const head = { id: newId(), appId, conversationId, seq: 1, createdAt: platform.clock.now() };
  const body = {
    case: 'conversationCreated' as const,
    value: { conversation: { id: conversationId, participants } },
  };
  const event = create(EventSchema, { ...head, body });
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
  await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
  await until(
    async () =>
      (await platform.db.execute({
        text: `select from consumed_event where event_id = '${event.id}' and consumer = 'identity-memberships'`,
      })) > 0 || undefined,
    { withinMs: 30_000, what: 'the change is consumed' },
  );
}

/** The users who get the deletion of ada, live and in a replay. */
async function hearers(appId: string, act: () => Promise<unknown>) {
  const heard: string[] = [];
  const subscription = platform.bus.subscribeLive(`live.${appId}.*.event`, (payload) => {
    for (const { body, onlyUserIds } of fromBinary(EventBatchSchema, payload).events)
      if (body.case === 'identityChanged' && body.value.identity?.deleted) heard.push(...onlyUserIds);
  });
  await platform.bus.flush();
  await act();
  await until(
    async () => {
      const waiting = await platform.db.execute({
        text: `select from follower_notice where app_id = $1`,
        values: [appId],
      });
      return (heard.length > 0 && waiting === 0) || undefined;
    },
    { withinMs: 30_000, what: 'the deletion is published' },
  );
  subscription.close();
  const replayed: string[] = [];
  for (const userId of ['bob', 'eve', 'zoe'])
    if ((await deletionsFor(appId, userId)).length > 0) replayed.push(userId);
  return { heard: heard.sort(), replayed };
}

async function replay(appId: string, userId: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor = ''; ;) {
    const page = await platform.changeLog.listUserEvents({
      appId,
      userId,
      fromTimestamp: platform.clock.now() - 3_600_000,
      cursor,
    });
    events.push(...page.events);
    if (page.cursor === '') return events;
    cursor = page.cursor;
  }
}

async function deletionsFor(appId: string, userId: string): Promise<string[]> {
  const events = await replay(appId, userId);
  return events.flatMap(({ body }) =>
    body.case === 'identityChanged' && body.value.identity?.deleted ? [body.value.identity.userId] : [],
  );
}

test('followers hear of the deletion of an identity, live and in a replay, each once', async () => {
  const appId = await newApp();
  const deletion = await hearers(appId, () => platform.identity.deleteIdentity({ appId, userId: 'ada' }));
  expect(deletion).toEqual({ heard: ['bob'], replayed: ['bob'] });
  expect(await deletionsFor(appId, 'bob')).toEqual(['ada']);
});

test('followers and participants of shared conversations hear of an erasure, although their relations are gone', async () => {
  const appId = await newApp();
  await share(appId, [{ userId: 'ada' }, { userId: 'eve' }]);
  const erasure = await hearers(appId, async () => {
    await platform.identity.eraseUser({ appId, userId: 'ada' });
    await platform.identity.eraseUser({ appId, userId: 'ada' });
  });
  expect(erasure).toEqual({ heard: ['bob', 'eve'], replayed: ['bob', 'eve'] });
  expect(await deletionsFor(appId, 'bob')).toEqual(['ada']);
});

test('the next person with the user id hears of nothing that concerned the first, and is followed by nobody', async () => {
  const appId = await newApp();
  await platform.relations.followUser({ appId, ownerUserId: 'ada', targetUserId: 'eve' });
  await platform.identity.eraseUser({ appId, userId: 'eve' });
  expect(await deletionsFor(appId, 'ada')).toEqual(['eve']);
  const { identity: erased } = await platform.identity.eraseUser({ appId, userId: 'ada' });
  await make(appId, 'ada');
  // A change of the first person's participants that comes late.
  await share(appId, [{ userId: 'ada', incarnation: 0 }, { userId: 'bob' }]);
  expect(await replay(appId, 'ada')).toEqual([]);
  const followed = async (ownerUserId: string) =>
    (await platform.relations.listFollowing({ appId, ownerUserId })).userIds;
  expect([await followed('ada'), await followed('bob')]).toEqual([[], []]);
  await share(appId, [{ userId: 'ada', incarnation: erased!.incarnation }, { userId: 'bob' }]);
  expect([await followed('ada'), await followed('bob')]).toEqual([['bob'], ['ada']]);
  const names = (await replay(appId, 'bob')).flatMap(({ body }) =>
    body.case === 'identityChanged' ? [[body.value.identity?.deleted, body.value.created]] : [],
  );
  // That the first person is gone, and that the second came; not the changes of the first with the values of the second.
  expect(names).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('a replay with more deletions than a page has shows each once', async () => {
  const appId = await newApp();
  await platform.db.execute({
    text: `insert into departure (app_id, user_id, gone_user_id, version, at)
      select $1::uuid, 'bob', 'gone ' || n, 2, to_timestamp($2::float8 / 1000) from generate_series(1, 1200) as n`,
    values: [appId, platform.clock.now()],
  });
  const gone = await deletionsFor(appId, 'bob');
  expect([gone.length, new Set(gone).size]).toEqual([1200, 1200]);
  expect((await replay(appId, 'bob')).length).toBe(1201);
});

test('the notice that a person is gone and what is noted for it hold ids alone', async () => {
  const appId = await newApp();
  await platform.presences.reportPresences({
    gatewayId: randomUUID(),
    reports: [{ appId, userId: 'ada', connected: true }],
  });
  const events: Uint8Array[] = [];
  const subscription = platform.bus.subscribeLive(`live.${appId}.*.event`, (payload) => {
    events.push(payload);
  });
  await platform.bus.flush();
  await hearers(appId, () => platform.identity.eraseUser({ appId, userId: 'ada' }));
  const identities = events.flatMap((payload) =>
    fromBinary(EventBatchSchema, payload).events.flatMap(({ body }) =>
      body.case === 'identityChanged' ? [body.value] : [],
    ),
  );
  expect(identities.length).toBeGreaterThan(0);
  for (const { identity, presence } of identities)
    expect([identity?.displayName, presence]).toEqual([undefined, undefined]);
  subscription.close();
});
