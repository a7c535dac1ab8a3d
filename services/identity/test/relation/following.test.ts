import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createDatabase } from '@parley/kit/postgres';
import { until } from '@parley/testing';
import fc from 'fast-check';
import { listFollowing } from '../../src/sql/following.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startMeasured } from '../support/measured.ts';
import { startIdentity, type Platform } from '../support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});

afterAll(() => platform.stop());

const users = ['ada', 'bob', 'carol', 'dave'];

async function createApp(): Promise<TestApp> {
  const app = await createTestApp(platform);
  for (const userId of users) {
    await platform.identity.createIdentity({ identity: { appId: app.uuid, userId, displayName: userId } });
  }
  return app;
}

/** The members whom a conversation's event adds and removes. */
type Change = { conversationId: string; seq: number; at: number; joined: string[]; left: string[] };

async function publish(app: TestApp, { conversationId, seq, at, joined, left }: Change): Promise<void> {
  const added = joined.map((userId) => ({ userId }));
  const head = { id: newId(), appId: app.uuid, conversationId, seq, createdAt: at };
  const body: MessageInitShape<typeof EventSchema>['body'] =
    seq === 1
      ? { case: 'conversationCreated', value: { conversation: { id: conversationId, participants: added } } }
      : { case: 'conversationUpdated', value: { added, removedUserIds: left } };
  const event = create(EventSchema, { ...head, body });
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
  await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
  await until(
    async () =>
      (await platform.db.execute({
        text: `select from consumed_event where event_id = '${event.id}' and consumer = 'identity-memberships'`,
      })) > 0 || undefined,
    { withinMs: 10_000, what: 'the change is consumed' },
  );
}

async function followedBy(app: TestApp, ownerUserId: string): Promise<string[]> {
  return (await platform.relations.listFollowing({ appId: app.uuid, ownerUserId })).userIds;
}

/** Computes naively who shared a conversation at the same time, and which decisions came after. */
function expectedOf(
  owner: string,
  changes: Change[],
  said: Map<string, { followed: boolean; at: number }>,
): string[] {
  const sharedAt = new Map<string, number>();
  for (const [, own] of Map.groupBy(changes, (change) => change.conversationId)) {
    const present = new Set<string>();
    for (const { joined, left, at } of [...own].sort((a, b) => a.seq - b.seq)) {
      for (const userId of left) present.delete(userId);
      for (const userId of joined) present.add(userId);
      if (!present.has(owner) || joined.length === 0) continue;
      const met = joined.includes(owner) ? [...present] : joined;
      for (const userId of met) sharedAt.set(userId, Math.max(at, sharedAt.get(userId) ?? 0));
    }
  }
  return users.filter((userId) => {
    const decision = said.get(userId);
    if (userId === owner) return false;
    if (!decision || decision.followed) return decision?.followed === true || sharedAt.has(userId);
    return (sharedAt.get(userId) ?? 0) > decision.at;
  });
}

const step = fc.record({
  what: fc.constantFrom('join' as const, 'leave' as const, 'follow' as const, 'unfollow' as const),
  conversation: fc.nat(1),
  user: fc.constantFrom(...users),
});

test('users who ever shared a conversation follow each other unless unfollowed since, in any order of the events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14 }),
      fc.infiniteStream(fc.nat()),
      async (steps, order) => {
        const app = await createApp();
        const conversations = [newId(), newId()].map((id) => ({ id, seq: 1, present: new Set(['bob']) }));
        const changes = conversations.map(({ id }): Change => {
          return { conversationId: id, seq: 1, at: platform.clock.now(), joined: ['bob'], left: [] };
        });
        const said = new Map<string, { followed: boolean; at: number }>();
        for (const { what, conversation, user } of steps) {
          platform.clock.advance(10);
          const at = platform.clock.now();
          if (what === 'follow' || what === 'unfollow') {
            if (user === 'ada') continue;
            const pair = { appId: app.uuid, ownerUserId: 'ada', targetUserId: user };
            await (what === 'follow'
              ? platform.relations.followUser(pair)
              : platform.relations.unfollowUser(pair));
            said.set(user, { followed: what === 'follow', at });
            continue;
          }
          const into = conversations[conversation]!;
          if (into.present.has(user) === (what === 'join')) continue;
          if (what === 'join') into.present.add(user);
          else into.present.delete(user);
          const [joined, left] = what === 'join' ? [[user], []] : [[], [user]];
          changes.push({ conversationId: into.id, seq: ++into.seq, at, joined, left });
        }
        const published = changes
          .map((change) => ({ change, rank: order.next().value as number }))
          .sort((a, b) => a.rank - b.rank);
        for (const { change } of published) await publish(app, change);
        expect(await followedBy(app, 'ada')).toEqual(expectedOf('ada', changes, said));
        for (const targetUserId of users.slice(1)) {
          const pair = { appId: app.uuid, ownerUserId: 'ada', targetUserId };
          expect((await platform.relations.isFollowing(pair)).following).toBe(
            expectedOf('ada', changes, said).includes(targetUserId),
          );
        }
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);

test('10,000 users of one request are followed, unknown ones are left out, and pages cost no counting', async () => {
  const app = await createApp();
  const ids = Array.from({ length: 10_000 }, (_, i) => `user-${String(i).padStart(5, '0')}`);
  await platform.db.execute({
    text: `insert into identity (app_id, user_id, type) select $1::uuid, user_id, 1 from unnest($2::text[]) as u (user_id)`,
    values: [app.uuid, ids],
  });
  const owner = { appId: app.uuid, ownerUserId: 'ada' };
  await platform.relations.followUsers({ ...owner, targetUserIds: [...ids, 'nobody'] });
  await platform.relations.unfollowUser({ ...owner, targetUserId: ids[5]! }).catch(() => undefined);
  await until(
    async () => {
      platform.clock.advance(300);
      return (await platform.relations.listFollowing(owner)).total >= 9_999 || undefined;
    },
    { withinMs: 45_000, what: 'all are followed' },
  );
  const measured = await startMeasured(platform);
  await measured.relations.listFollowing(owner);
  const first = measured.statements;
  const page = await measured.relations.listFollowing({ ...owner, fromId: ids[4999]!, pageSize: 500 });
  expect(measured.statements - first).toBeLessThanOrEqual(3);
  await measured.stop();
  expect(page.userIds).toEqual(ids.slice(5000, 5500));
}, 60_000);

// Planned while the tables are empty, as in a new deployment that grows faster than statistics are taken.
test('a following list costs one look-up of each followed user', async () => {
  const app = await createApp();
  const ids = Array.from({ length: 3_000 }, (_, i) => `user-${i}`);
  const { databaseUrl: url } = platform.service.context.config;
  const log = createLogger({ service: 'test', level: 'silent' });
  const db = createDatabase({ url, poolSize: 1, log, applicationName: 'plans' });
  await db.execute({ text: `alter table identity set (autovacuum_enabled = off)` });
  await db.execute({ text: `alter table follow set (autovacuum_enabled = off)` });
  await listFollowing(db, app.uuid, 'ada');
  const values = [app.uuid, ids];
  await db.execute({
    text: `insert into identity (app_id, user_id, type) select $1::uuid, unnest($2::text[]), 1`,
    values,
  });
  await db.execute({
    text: `
      insert into follow (app_id, owner_user_id, target_user_id, followed, decided_at)
      select $1::uuid, 'ada', unnest($2::text[]), true, now()`,
    values,
  });
  const lines = await db.query<{ 'QUERY PLAN': string }>({
    text: `explain (analyze) execute list_following('${app.uuid}', 'ada')`,
  });
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Rows Removed by (Join )?Filter: \d{3,}/);
  expect(await listFollowing(db, app.uuid, 'ada')).toMatchObject({ user_ids: ids.sort() });
  await db.close();
});

test('users who do not exist neither follow nor are followed', async () => {
  const app = await createApp();
  const nobody = { appId: app.uuid, ownerUserId: 'nobody', targetUserId: 'ada' };
  await expectProblem(platform.relations.followUser(nobody), 'not_found');
  await expectProblem(platform.relations.unfollowUser(nobody), 'not_found');
  await expectProblem(platform.relations.listFollowing(nobody), 'not_found');
  await expectProblem(platform.relations.followUsers({ ...nobody, targetUserIds: ['ada'] }), 'not_found');
  await expectProblem(platform.relations.listBlocks(nobody), 'not_found');
  const known = { appId: app.uuid, ownerUserId: 'ada', fromId: 'nobody' };
  await expectProblem(platform.relations.listFollowing(known), 'invalid_property', { property: 'from_id' });
});
