import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/testing';
import { countRowsRead } from '@parley/kit/testing/rows-read';
import type { Sql } from '@parley/kit/postgres';
import fc from 'fast-check';
import { noteFollowers } from '../../src/relation/departures.ts';
import { isFollowing, listFollowers, listFollowing } from '../../src/sql/following.ts';
import { MEMBERSHIP_ROWS } from '../../src/sql/merge-memberships.ts';
import { startIdentity, type Platform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

async function newApp(userIds: readonly string[]): Promise<string> {
  const appId = randomUUID();
  for (const userId of userIds) await make(appId, userId);
  return appId;
}

function make(appId: string, userId: string) {
  return platform.identity.createIdentity({ identity: { appId, userId, displayName: userId } });
}

type Change = { seq: number; joined: string[]; left: string[] };

/** Publishes changes of a conversation in the given order, and waits until the service has heard of all. */
async function happen(appId: string, conversationId: string, changes: readonly Change[]): Promise<void> {
  const events = changes.map(({ seq, joined, left }) => {
    const value = { added: joined.map((userId) => ({ userId })), removedUserIds: left };
    const body = { case: 'conversationUpdated' as const, value };
    const createdAt = platform.clock.now() + seq;
    return create(EventSchema, { id: newId(), appId, conversationId, seq, createdAt, body });
  });
  for (const event of events) {
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
    await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
  }
  const text = `select from consumed_event where event_id = any ($1::uuid[]) and consumer = 'identity-memberships'`;
  const values = [events.map(({ id }) => id)];
  await until(async () => (await platform.db.execute({ text, values })) === events.length || undefined, {
    withinMs: 60_000,
    what: 'the changes are consumed',
  });
}

/** Everybody leaves and joins again, this many times. */
function churn(userIds: readonly string[], times: number, from = 2): Change[] {
  return Array.from({ length: times }, (_, index) => [
    { seq: from + 2 * index, joined: [], left: [...userIds] },
    { seq: from + 2 * index + 1, joined: [...userIds], left: [] },
  ]).flat();
}

const followedBy = async (appId: string, ownerUserId: string) =>
  (await platform.relations.listFollowing({ appId, ownerUserId })).userIds;

async function mostRows(appId: string): Promise<number> {
  const text = `select count(*)::int as count from membership where app_id = $1 group by user_id order by 1 desc limit 1`;
  const [row] = await platform.db.query<{ count: number }>({ text, values: [appId] });
  return row?.count ?? 0;
}

test('a user who is removed and added again and again has a bounded number of memberships, in any order of the events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (order) => {
      const [appId, conversationId] = [await newApp(['ada', 'bob', 'eve']), randomUUID()];
      const join = { seq: 1, joined: ['ada', 'bob', 'eve'], left: [] };
      const changes = [join, ...churn(['ada', 'bob'], 40), { seq: 100, joined: [], left: ['ada', 'bob'] }];
      const ranked = changes.map((change, index) => ({
        change,
        rank: index + ((order.next().value ?? 0) % 6),
      }));
      ranked.sort((a, b) => a.rank - b.rank);
      await happen(
        appId,
        conversationId,
        ranked.map(({ change }) => change),
      );
      expect(await mostRows(appId)).toBeLessThanOrEqual(MEMBERSHIP_ROWS.most);
      expect(await followedBy(appId, 'ada')).toEqual(['bob', 'eve']);
      await make(appId, 'late');
      // Users who come later do not follow users who left.
      await happen(appId, conversationId, [{ seq: 101, joined: ['late'], left: [] }]);
      expect(await followedBy(appId, 'late')).toEqual(['eve']);
    }),
    { numRuns: 4 },
  );
}, 180_000);

/** Members of one conversation who were removed and added again together, as tables of earlier releases have them. */
async function insertPeriods(appId: string, prefix: string, members: number, periods: number): Promise<void> {
  const conversationId = randomUUID();
  for (let member = 1; member <= members; member += 1)
    await platform.db.execute({
      text: `
        insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at, left_seq)
        select $1::uuid, $2::text, $3::uuid, seq, case when seq % 2 = 1 then now() end,
          case when seq < 2 * $4 - 1 then seq + seq % 2 end
        from generate_series(1, 2 * $4::int - 1) as seq`,
      values: [appId, `${prefix} ${member}`, conversationId, periods],
    });
  await platform.db.execute({
    text: `insert into identity (app_id, user_id, type) select $1::uuid, $2 || ' ' || n, 1 from generate_series(1, $3::int) as n`,
    values: [appId, prefix, members],
  });
}

const LIMIT = 1_000;
const readers: Record<string, (sql: Sql, appId: string, user: string) => Promise<unknown>> = {
  listFollowing: (sql, appId, user) => listFollowing(sql, appId, `${user} 1`),
  isFollowing: (sql, appId, user) => isFollowing(sql, { appId, ownerId: `${user} 1`, targetId: `${user} 2` }),
  listFollowers: (sql, appId, user) =>
    listFollowers(sql, { appId, userId: `${user} 1`, afterUserId: '', limit: LIMIT }),
};

test('what is read of relations grows with the periods of the members, not with their square', async () => {
  const appId = await newApp([]);
  await insertPeriods(appId, 'few', 40, 30);
  await insertPeriods(appId, 'many', 40, 120);
  await platform.db.execute({ text: 'analyze membership' });
  for (const [name, read] of Object.entries(readers)) {
    const [few, many] = [countRowsRead(platform.db), countRowsRead(platform.db)];
    await read(few.sql, appId, 'few');
    await read(many.sql, appId, 'many');
    expect({ name, grows: many.rows / few.rows < 7 }).toEqual({ name, grows: true });
  }
}, 60_000);

test('a user whose memberships an earlier release did not merge is erased, in statements that read what is there a few times', async () => {
  const appId = await newApp([]);
  await insertPeriods(appId, 'user', 100, 300);
  await platform.db.execute({ text: 'analyze membership' });
  const noted = countRowsRead(platform.db);
  await noteFollowers(platform.service.context, noted.sql, { appId, userId: 'user 1', version: 1 });
  // A few times the rows of the conversation, however the planner reads a page of them.
  expect(noted.most).toBeLessThan(7 * 100 * 300);
  expect(await followedBy(appId, 'user 2')).toHaveLength(99);
  await platform.identity.eraseUser({ appId, userId: 'user 1' });
  const text = `select from departure where app_id = $1 and gone_user_id = 'user 1' and version > 1`;
  expect(await platform.db.execute({ text, values: [appId] })).toBe(99);
  expect(await followedBy(appId, 'user 2')).toHaveLength(98);
}, 120_000);
