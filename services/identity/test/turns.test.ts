import { randomUUID } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { recordLeases } from '@parley/kit/testing/leases';
import { EventBatchSchema, EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/testing';
import { countBlocks, listBlockedUserIds } from '../src/sql/block.ts';
import { insertFollowerNotices } from '../src/sql/follower-notice.ts';
import { insertRevocations } from '../src/sql/revocation.ts';
import { createFollowRequests } from '../src/timers/follow-requests.ts';
import { sweepRevocations } from '../src/timers/sweep-revocations.ts';
import { createFollowerNotices } from '../src/timers/notify-followers.ts';
import { startIdentity, type Platform } from './support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

test('the follow request of a quiet application waits for one slice of a busy one', async () => {
  const leases = await recordLeases(platform.db, 'follow_request');
  const [busy, quiet] = [randomUUID(), randomUUID()];
  await platform.db.execute({
    text: `
      insert into follow_request (id, app_id, owner_user_id, target_user_ids, requested_at)
      select gen_random_uuid(), $1::uuid, 'ada', array['bob'], now() from generate_series(1, 50)
      union all select 'ffffffff-ffff-7fff-8fff-ffffffffffff', $2::uuid, 'ada', array['bob'], now()`,
    values: [busy, quiet],
  });
  await createFollowRequests(platform.service.context).run();
  const order = await leases.of(quiet, busy);
  expect(order).toHaveLength(51);
  await leases.expectTurn(quiet, busy);
});

test('followers are notified a page at a time, in turn with those of other applications', async () => {
  const leases = await recordLeases(platform.db, 'follower_notice');
  const [busy, quiet] = [randomUUID(), randomUUID()];
  for (const [appId, count] of [
    [busy, 25_000],
    [quiet, 3],
  ] as const) {
    await platform.db.execute({
      text: `
        insert into follow (app_id, owner_user_id, target_user_id, followed, decided_at)
        select $1::uuid, 'follower ' || n, 'star', true, now() from generate_series(1, $2::int) as n`,
      values: [appId, count],
    });
  }
  const published = new Map<string, number>();
  const subscription = platform.bus.subscribeLive('live.*.*.event', (payload) => {
    for (const { appId, onlyUserIds } of fromBinary(EventBatchSchema, payload).events)
      published.set(appId, (published.get(appId) ?? 0) + onlyUserIds.length);
  });
  await platform.bus.flush();
  const notice = (appId: string) => {
    const body = { case: 'identityChanged' as const, value: { identity: { appId, userId: 'star' } } };
    const event = create(EventSchema, { id: newId(), appId, body });
    return { appId, eventId: event.id, userId: 'star', event: toBinary(EventSchema, event) };
  };
  await insertFollowerNotices(platform.db, [notice(busy), notice(busy), notice(quiet)]);
  await until(
    async () => {
      await createFollowerNotices(platform.service.context).run();
      return (await platform.db.execute({ text: 'select from follower_notice' })) === 0 || undefined;
    },
    { withinMs: 30_000, what: 'all are published' },
  );
  expect(await leases.of(busy)).toHaveLength(6);
  await leases.expectTurn(quiet, busy);
  await until(() => published.get(busy) === 50_000 || undefined, {
    withinMs: 20_000,
    what: 'all followers are named',
  });
  expect(published.get(quiet)).toBe(3);
  subscription.close();
}, 60_000);

test('a join invalidates the following lists of the participants, not of former ones', async () => {
  const [appId, conversationId] = [randomUUID(), randomUUID()];
  await platform.db.execute({
    text: `
      insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at, left_seq)
      select $1::uuid, 'former ' || n, $2::uuid, 1, now(), 2 from generate_series(1, 2000) as n
      union all select $1::uuid, 'ada', $2::uuid, 1, now(), null`,
    values: [appId, conversationId],
  });
  const conversation = { appId, conversationId, createdAt: platform.clock.now() };
  async function happen(seq: number, added: string[], removedUserIds: string[]): Promise<void> {
    const value = { added: added.map((userId) => ({ userId })), removedUserIds };
    const body = { case: 'conversationUpdated' as const, value };
    const event = create(EventSchema, { ...conversation, id: newId(), seq, body });
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
    await platform.bus.publish(durableSubject(event), payload, { msgId: event.id });
    const text = `select from consumed_event where event_id = $1 and consumer = 'identity-memberships'`;
    await until(async () => (await platform.db.execute({ text, values: [event.id] })) > 0 || undefined, {
      withinMs: 45_000,
      what: 'the change is consumed',
    });
  }
  const moved = async () =>
    (
      await platform.db.query<{ user_id: string }>({
        text: 'select user_id from following_stamp where app_id = $1 order by user_id',
        values: [appId],
      })
    ).map((row) => row.user_id);
  await happen(10, ['bob'], []);
  expect(await moved()).toEqual(['ada', 'bob']);
  // The leave arrives late: a user who joined after it does not follow the user who left.
  await platform.db.execute({ text: 'delete from following_stamp where app_id = $1', values: [appId] });
  await happen(5, [], ['ada']);
  expect(await moved()).toEqual(['ada', 'bob']);
  await platform.db.execute({ text: 'delete from following_stamp where app_id = $1', values: [appId] });
  await happen(11, [], ['bob']);
  expect(await moved()).toEqual([]);
}, 60_000);

test('counting and listing blocks does not read lifted ones', async () => {
  const appId = randomUUID();
  await platform.db.execute({
    text: `
      insert into block (app_id, owner_user_id, blocked_user_id, active)
      select $1, 'ada', 'user ' || n, n <= 3 from generate_series(1, 5000) as n`,
    values: [appId],
  });
  const read = await platform.db.tx(async (tx) => {
    const fetched = async () => {
      const text = `select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = 'block'`;
      return (await tx.query<{ count: number }>({ text }))[0]?.count ?? 0;
    };
    const before = await fetched();
    expect(await countBlocks(tx, appId, 'ada')).toBe(3);
    expect(await listBlockedUserIds(tx, { appId, ownerId: 'ada' })).toHaveLength(3);
    return (await fetched()) - before;
  });
  expect(read).toBeLessThan(20);
});

test('old revocations are deleted in bounded statements', async () => {
  const [appId, count] = [randomUUID(), 6000];
  const subjects = Array.from({ length: count }, (_, index) => ({ userId: `user ${index}` }));
  await insertRevocations(platform.db, { appId, subjects, now: platform.clock.now() - 90_000_000 });
  await platform.db.execute({
    text: `
      create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > 5000 then raise exception 'too many at once'; end if;
        return null;
      end $$`,
  });
  await platform.db.execute({
    text: `
      create trigger refuse_many after delete on revocation referencing old table as gone
      for each statement execute function refuse_many()`,
  });
  const text = 'select from revocation where app_id = $1';
  // A sweep leaves revocations while an older transaction of any database of this server runs.
  await until(
    async () => {
      await sweepRevocations(platform.service.context);
      return (await platform.db.execute({ text, values: [appId] })) === 0 || undefined;
    },
    { withinMs: 20_000, what: 'all old revocations are deleted' },
  );
});
