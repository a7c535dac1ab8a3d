import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@parley/testing';
import {
  APP_REMOVAL_TABLES_SQL,
  createAppRemovals,
  noteDeletedApps,
  type AppRemovalOptions,
} from './index.ts';
import { createTestClock, type TestClock } from '../../runtime/clock/index.ts';
import { CONSUMED_EVENT_TABLE_SQL } from '../consume/index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { OUTBOX_TABLE_SQL } from '../outbox/index.ts';
import { createDatabase, type Database } from '../../postgres/index.ts';
import { recordLeases } from '../../testing/leases.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const [first, second] = [randomUUID(), randomUUID()].sort() as [string, string];
const tables = [
  { table: 'note', order: ['id'] },
  { table: 'entry', order: ['id'], isPartitioned: true },
];
let db: Database;
let clock: TestClock;

beforeEach(async () => {
  const url = await createTestDatabase();
  db = createDatabase({ url, poolSize: 4, log, applicationName: 'test' });
  clock = createTestClock(Date.UTC(2030, 0, 1));
  for (const text of [APP_REMOVAL_TABLES_SQL, CONSUMED_EVENT_TABLE_SQL, OUTBOX_TABLE_SQL])
    await db.execute({ text });
  await db.execute({ text: 'create table note (app_id uuid not null, id bigint, primary key (app_id, id))' });
  await db.execute({ text: 'create table entry (app_id uuid not null, id bigint) partition by range (id)' });
  await db.execute({ text: 'create table entry_low partition of entry for values from (0) to (1000)' });
  await db.execute({ text: 'create table entry_rest partition of entry default' });
});
afterEach(() => db.close());

const insert = (table: string, appId: string, count: number) =>
  db.execute({
    text: `insert into ${table} (app_id, id) select $1, id from generate_series(1, $2::int) as id`,
    values: [appId, count],
  });
const count = (table: string, appId: string) =>
  db.execute({ text: `select from ${table} where app_id = $1`, values: [appId] });
const removing = () => db.execute({ text: 'select from app_removal' });
const note = (...appIds: string[]) => db.tx((tx) => noteDeletedApps(tx, appIds, clock));
const removals = (options: Partial<AppRemovalOptions> = {}) =>
  createAppRemovals({ db, log, clock, tables, ...options });

test('a removal begins a minute after the deletion and takes bounded steps, in turn with other applications', async () => {
  const leases = await recordLeases(db, 'app_removal');
  await insert('note', first, 2500);
  await insert('entry', first, 1500);
  await insert('note', second, 1);
  expect(await note(second, first, second)).toEqual([first, second]);
  await removals().run();
  clock.advance(59_999);
  await removals().run();
  expect(await count('note', first)).toBe(2500);
  clock.advance(1);
  await removals().run();
  expect(await Promise.all([first, second].map((appId) => count('note', appId)))).toEqual([0, 0]);
  expect([await count('entry', first), await removing()]).toEqual([0, 0]);
  const order = await leases.of(first, second);
  // Three steps for notes, two for entries; one ends the pass, and another pass finds nothing.
  expect(order.filter((appId) => appId === first)).toHaveLength(7);
  expect(order.indexOf(second)).toBe(1);
});

test('rows of living applications stay, in partitions too', async () => {
  await insert('entry', first, 1500);
  await insert('entry', second, 1500);
  await note(first);
  clock.advance(60_000);
  await removals().run();
  expect([await count('entry', first), await count('entry', second)]).toEqual([0, 1500]);
});

test('a removal also deletes rows that are added to a table it has already emptied', async () => {
  await insert('note', first, 1);
  await insert('entry', first, 1);
  await note(first);
  clock.advance(60_000);
  await db.execute({
    text: `create function come_late() returns trigger language plpgsql as $$
      begin insert into note values (old.app_id, 7); return old; end $$`,
  });
  await db.execute({
    text: 'create trigger come_late after delete on entry_low for each row execute function come_late()',
  });
  await removals().run();
  expect([await count('note', first), await removing()]).toEqual([0, 0]);
});

test('a removal that is interrupted at any step continues from there', async () => {
  await insert('note', first, 2500);
  await insert('entry', first, 1500);
  await note(first);
  clock.advance(60_000);
  for (let runs = 0; (await removing()) > 0; runs += 1) {
    expect(runs).toBeLessThan(50);
    const cut = new AbortController();
    const step = removals({
      db: { ...db, tx: (work) => db.tx(work).finally(() => cut.abort()) },
    });
    await step.run(cut.signal);
  }
  expect([await count('note', first), await count('entry', first)]).toEqual([0, 0]);
});

test('a removal waits for the work of other jobs, and ends once', async () => {
  let isPending = true;
  const finished: string[] = [];
  const options = {
    isPending: async () => isPending,
    finish: async (_tx: unknown, appId: string) => void finished.push(appId),
  };
  await note(first);
  clock.advance(60_000);
  await removals(options).run();
  isPending = false;
  clock.advance(9_999);
  await removals(options).run();
  expect(finished).toEqual([]);
  clock.advance(1);
  await removals(options).run();
  await removals(options).run();
  expect(finished).toEqual([first]);
});

test('a repeated deletion event begins no second removal', async () => {
  await note(first);
  clock.advance(60_000);
  await removals().run();
  expect(await note(first)).toEqual([]);
  expect([await removing(), await count('app_tombstone', first)]).toEqual([0, 1]);
});

test('a removal deletes the dead letters of the application', async () => {
  for (const appId of [first, second]) {
    const values = [`event.${appId}.some.kind`, randomUUID()];
    await db.execute({
      text: `insert into dead_letter (consumer, event_id, subject, payload, error) values ('c', $2, $1, '', 'e')`,
      values,
    });
  }
  await note(first);
  clock.advance(60_000);
  await removals().run();
  const left = await db.query<{ subject: string }>({ text: 'select subject from dead_letter' });
  expect(left).toEqual([{ subject: `event.${second}.some.kind` }]);
});
