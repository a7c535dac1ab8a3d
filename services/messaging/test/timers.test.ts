import { randomUUID } from 'node:crypto';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { listPartitionDays } from '../src/sql/log/change-partition.ts';
import { foldConversationCounts } from '../src/sql/conversation/conversation-count.ts';
import { foldCounts } from '../src/timers/conversation-counts.ts';
import { maintainPartitions } from '../src/timers/change-partitions.ts';
import { setMetadata } from './support/patches.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

const DAY_MS = 86_400_000;

describe('timers', () => {
  let service: TestMessaging;
  let clock: TestClock;
  const appId = randomUUID();
  const start = Date.UTC(2030, 0, 30, 12);

  beforeAll(async () => {
    clock = createTestClock(start);
    service = await startMessaging({ clock });
  });
  afterAll(() => service.stop());

  const days = () => listPartitionDays(service.ctx.db);
  const replay = (fromTimestamp: number) =>
    service.changeLog.listUserEvents({ appId, userId: 'ann', fromTimestamp });

  test('the change log has partitions for today and three days ahead, and is dropped after 30 days', async () => {
    expect(await days()).toEqual(['20300130', '20300131', '20300201', '20300202']);
    const { conversation } = await service.messaging.createConversation({
      appId,
      userId: 'ann',
      participantIds: [],
    });
    expect(await replay(start - 29 * DAY_MS)).toMatchObject({ complete: true, events: [{ seq: 1 }] });
    expect(await replay(start - 31 * DAY_MS)).toMatchObject({ complete: false, events: [{ seq: 1 }] });

    clock.advance(DAY_MS);
    await maintainPartitions(service.ctx);
    expect(await days()).toEqual(['20300130', '20300131', '20300201', '20300202', '20300203']);

    clock.advance(30 * DAY_MS);
    await Promise.all([maintainPartitions(service.ctx), maintainPartitions(service.ctx)]);
    expect(await days()).toEqual([
      '20300131',
      '20300201',
      '20300202',
      '20300203',
      '20300302',
      '20300303',
      '20300304',
      '20300305',
    ]);
    await service.messaging.updateConversation({
      appId,
      id: conversation!.id,
      operations: [setMetadata(['a'], '1')],
    });
    const horizon = Date.UTC(2030, 0, 31);
    expect(await replay(horizon)).toMatchObject({ complete: true, events: [{ seq: 2 }] });
    expect(await replay(horizon - 1)).toMatchObject({ complete: false, events: [{ seq: 2 }] });
  });

  test('changes of a day without a partition move into it once it exists, and expire even without one', async () => {
    const other = randomUUID();
    const insert = (at: number) =>
      service.ctx.db.execute({
        text: `insert into change (app_id, conversation_id, seq, created_at, event)
          values ($1, $1, 1, to_timestamp($2::float8 / 1000), '')`,
        values: [other, at],
      });
    const ahead = clock.now() + 4 * DAY_MS;
    await insert(ahead);
    await insert(clock.now() - 40 * DAY_MS);
    clock.advance(DAY_MS);
    await maintainPartitions(service.ctx);
    const rows = await service.ctx.db.query<{ partition: string }>({
      text: 'select tableoid::regclass::text as partition from change where app_id = $1',
      values: [other],
    });
    expect(rows).toEqual([
      { partition: `change_p${new Date(ahead).toISOString().slice(0, 10).replaceAll('-', '')}` },
    ]);
  });

  test('the number of conversations of an app stays exact while its deltas are folded', async () => {
    const app = randomUUID();
    const create = () =>
      service.messaging.createConversation({ appId: app, userId: 'ann', participantIds: [] });
    const total = async () => (await service.messaging.listConversations({ appId: app })).total;
    const created = await Promise.all(Array.from({ length: 20 }, create));
    await Promise.all([foldCounts(service.ctx), foldCounts(service.ctx), create(), create()]);
    expect(await total()).toBe(22);
    await service.messaging.deleteConversation({ appId: app, id: created[0]!.conversation!.id });
    await foldCounts(service.ctx);
    expect(await total()).toBe(21);
    const rows = await service.ctx.db.query({
      text: 'select from conversation_count where app_id = $1',
      values: [app],
    });
    expect(rows).toHaveLength(1);
  });

  test('applications that create conversations all the time do not delay adding up the counts of others', async () => {
    const last = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    const { db } = service.ctx;
    await db.execute({
      text: `
        insert into conversation_count (app_id, delta)
        select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 1
        from generate_series(1, 1200) as n, generate_series(1, 2)`,
    });
    await db.execute({
      text: 'insert into conversation_count (app_id, delta) select $1, 1 from generate_series(1, 300)',
      values: [last],
    });
    await foldConversationCounts(db);
    const rows = await db.query({
      text: 'select delta::int from conversation_count where app_id = $1',
      values: [last],
    });
    expect(rows).toEqual([{ delta: 300 }]);
  });
});
