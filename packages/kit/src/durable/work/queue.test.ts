import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@parley/testing';
import { createTestClock, type TestClock } from '../../runtime/clock/index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { NIL_UUID } from '../../runtime/nil-uuid.ts';
import { createDatabase, type Database } from '../../postgres/index.ts';
import { createRounds, createWorkQueue, stepSize, type Leased } from './queue.ts';

type Item = Leased & { id: number; version: number };

const log = createLogger({ service: 'test', level: 'silent' });
const queue = createWorkQueue<Item>({
  table: 'item',
  key: ['app_id', 'id'],
  columns: ['version'],
  mutable: ['version'],
  order: ['id'],
});
const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()].sort() as [string, string, string];
let url: string;
let db: Database;
let clock: TestClock;

beforeAll(async () => {
  url = await createTestDatabase();
  db = createDatabase({ url, poolSize: 8, log, applicationName: 'test' });
  await db.execute({
    text: `create table item (
      app_id uuid not null, id bigint not null, due_at timestamptz not null default '-infinity',
      attempts integer not null default 0, version bigint not null default 1, primary key (app_id, id))`,
  });
  await db.execute({ text: 'create index item_by_turn on item (app_id, due_at, id)' });
  await db.execute({ text: 'create index item_by_time on item (due_at)' });
});
afterAll(() => db.close());
beforeEach(async () => {
  clock = createTestClock(Date.UTC(2030, 0, 1));
  await db.execute({ text: 'truncate item' });
});

/** Rows inserted by one statement; many thousands would exceed the statement timeout on a busy machine. */
const INSERTED_AT_ONCE = 5_000;

async function insert(appId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += INSERTED_AT_ONCE) {
    await db.execute({
      text: 'insert into item (app_id, id) select $1, id from generate_series($2::int, $3::int) as id',
      values: [appId, first, Math.min(count, first + INSERTED_AT_ONCE - 1)],
    });
  }
}
const countLeft = () => db.execute({ text: 'select from item' });

/** Rounds that record each step; `fails` selects the items that always fail. */
function rounds(steps: string[], fails: (item: Item) => boolean = () => false) {
  const step = (item: Item) =>
    queue.work(db, item, () => {
      steps.push(`${item.app_id} ${item.id}`);
      return fails(item) ? Promise.reject(new Error('no')) : Promise.resolve(true);
    });
  return createRounds({ queue, db, log, clock, step });
}

test('the one item of an application is done within a round, however many items another application has waiting', async () => {
  await insert(first, 50);
  await insert(second, 1);
  await insert(third, 2);
  const steps: string[] = [];
  await rounds(steps).run();
  expect(steps.slice(0, 5)).toEqual([`${first} 1`, `${second} 1`, `${third} 1`, `${first} 2`, `${third} 2`]);
  expect(steps).toHaveLength(53);
  expect(await countLeft()).toBe(0);
});

test('an item whose step fails waits longer each time, and holds up nothing of its own application', async () => {
  await insert(first, 3);
  const steps: string[] = [];
  const worker = rounds(steps, ({ id }) => id === 1);
  await worker.run();
  expect(steps).toEqual([`${first} 1`, `${first} 2`, `${first} 3`]);
  for (const delayMs of [1000, 2000, 4000]) {
    const before = steps.length;
    clock.advance(delayMs - 1);
    await worker.run();
    expect(steps).toHaveLength(before);
    clock.advance(1);
    await worker.run();
    expect(steps.slice(before)).toEqual([`${first} 1`]);
  }
});

test('an item leased by a killed process does not stay first in line, and is free after a while', async () => {
  await insert(first, 2);
  const start = { after: NIL_UUID, now: clock.now() };
  expect(await queue.lease(db, start)).toMatchObject({ id: 1 });
  const steps: string[] = [];
  await rounds(steps).run();
  expect(steps).toEqual([`${first} 2`]);
  clock.advance(10_000);
  await rounds(steps).run();
  expect(steps).toEqual([`${first} 2`, `${first} 1`]);
});

test('a worker whose lease another one took over does nothing', async () => {
  await insert(first, 1);
  const start = { after: NIL_UUID };
  const slow = await queue.lease(db, { ...start, now: clock.now() });
  const other = await queue.lease(db, { ...start, now: clock.now() + 10_000 });
  const steps: string[] = [];
  const step = (name: string) => () => (steps.push(name), Promise.resolve(true));
  await queue.work(db, slow!, step('slow'));
  await queue.work(db, other!, step('other'));
  expect(steps).toEqual(['other']);
});

test('a step gets an item that changed after it was leased as it is now, so that the change is not removed with it', async () => {
  await insert(first, 1);
  const item = await queue.lease(db, { after: NIL_UUID, now: clock.now() });
  await db.execute({ text: 'update item set version = 2' });
  const seen: number[] = [];
  await queue.work(db, item!, (_, held) => {
    seen.push(held.version);
    return Promise.resolve(true);
  });
  expect([item?.version, seen]).toEqual([1, [2]]);
  expect(await countLeft()).toBe(0);
});

test('several replicas do each item once, and stop between two steps', async () => {
  await insert(first, 200);
  await insert(second, 20);
  const steps: string[] = [];
  await Promise.all([rounds(steps).run(), rounds(steps).run(), rounds(steps).run()]);
  expect(steps).toHaveLength(220);
  expect(new Set(steps).size).toBe(220);
  await insert(first, 2);
  await rounds(steps).run(AbortSignal.abort());
  expect(await countLeft()).toBe(2);
});

test('a step that failed is repeated with a smaller size', () => {
  const sizes = [1, 2, 3, 30].map((attempts) => stepSize(100, { app_id: first, attempts }));
  expect(sizes).toEqual([100, 50, 25, 1]);
});

test('leasing reads a few pages beside an application with 200,000 items', async () => {
  await insert(first, 200_000);
  await insert(second, 1);
  await db.execute({ text: 'analyze item' });
  await queue.lease(db, { after: first, now: clock.now() });
  const values = `'${first}', ${clock.now()}`;
  const plan = await db.tx(async (tx) => {
    await queue.lease(tx, { after: first, now: clock.now() });
    return tx.query({ text: `explain (analyze, buffers) execute lease_item (${values})` });
  });
  const pages = /shared hit=(\d+)/.exec(JSON.stringify(plan))?.[1];
  expect(Number(pages)).toBeGreaterThan(0);
  expect(Number(pages)).toBeLessThan(100);
});
