import { createTestDatabase, until } from '@parley/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase, type Database } from '../index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { listIndexes } from '../../testing/partitions.ts';
import { migrate } from '../migrate.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const TABLE = `
  create table log (at integer not null, n integer not null) partition by range (at);
  create table log_default partition of log default;
  create table log_1 partition of log for values from (0) to (10);
  create table log_2 partition of log for values from (10) to (20);
  insert into log values (1, 1), (2, 2), (11, 3), (12, 4), (99, 5);`;
const NEW_PARTITION = `
  create table log_new (like log including all);
  alter table log attach partition log_new for values from (20) to (30);`;
let dir: string;
let url: string;
const databases: Database[] = [];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'migrate-'));
  url = await createTestDatabase();
  await write('0001_table.sql', TABLE);
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((db) => db.close()));
  await rm(dir, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(dir, name), text);
const run = () => migrate({ url, dir, log });

async function addIndex(definition: string, name: string): Promise<void> {
  await write('0002_index.sql', definition);
  await write('0003_everywhere.sql', `-- no transaction\n-- complete index ${name}\n`);
}

function open(): Database {
  const db = createDatabase({ url, poolSize: 1, log, applicationName: 'partition-test' });
  databases.push(db);
  return db;
}

test('partitions that were there get an index as new ones do, whatever it is', async () => {
  await run();
  await addIndex(
    `create index log_by_n on only log using btree (n desc) include (at) with (fillfactor = 80) where n > 1;
     create unique index log_once on only log (at, n)`,
    'log_by_n\n-- complete index log_once',
  );
  await run();
  const db = open();
  await db.execute({ text: NEW_PARTITION });
  const { log_new: wanted, ...others } = await listIndexes(db, 'log');
  expect(wanted).toHaveLength(2);
  expect(others).toEqual({ log_1: wanted, log_2: wanted, log_default: wanted });
  expect(await db.query({ text: 'select from pg_index where not indisvalid' })).toEqual([]);
});

test('writes go on while partitions get an index, also while it waits for a transaction that has written', async () => {
  await run();
  await addIndex('create index log_by_n on only log using brin (n)', 'log_by_n');
  const [writer, other, watcher] = [open(), open(), open()];
  let migrating: Promise<string[]> | undefined;
  await writer.tx(async (tx) => {
    await tx.execute({ text: 'insert into log values (3, 6)' });
    migrating = run();
    const waiting = `select from pg_stat_activity where application_name = 'migrate' and wait_event_type = 'Lock' and query like 'create index%'`;
    const isWaiting = async () => ((await watcher.query({ text: waiting })).length > 0 ? true : undefined);
    await until(isWaiting, { what: 'the index waits for the transaction', withinMs: 20_000, everyMs: 5 });
    await other.execute({ text: 'insert into log values (4, 7), (13, 8), (98, 9)' });
  });
  expect(await migrating).toEqual(['0002_index', '0003_everywhere']);
  expect(await watcher.query({ text: 'select count(*) as n from log where n > 5' })).toEqual([{ n: 4 }]);
});

test('a partition that fails stops the migration; the next attempt rebuilds its index, and only that', async () => {
  await run();
  await addIndex('create unique index log_once on only log (at, n)', 'log_once');
  const db = open();
  await db.execute({ text: 'insert into log values (11, 3)' });
  // Leaves an invalid index of log_2.
  await expect(run()).rejects.toThrow('migration 0003_everywhere failed: could not create unique index');
  const first = await oidOf(db, 'log_1');
  const invalid = { text: "select from pg_index where not indisvalid and indrelid = 'log_2'::regclass" };
  expect(await db.query(invalid)).toHaveLength(1);
  await db.execute({ text: 'delete from log where n = 3' });
  expect(await run()).toEqual(['0003_everywhere']);
  expect(await db.query({ text: 'select from pg_index where not indisvalid' })).toEqual([]);
  expect(await oidOf(db, 'log_1')).toBe(first);
});

test('an index that was built, but not attached, is attached', async () => {
  await run();
  await addIndex('create index log_by_n on only log (n)', 'log_by_n');
  const db = open();
  await db.execute({ text: 'create index log_2_log_by_n on log_2 (n)' });
  const before = await oidOf(db, 'log_2');
  await run();
  expect(await oidOf(db, 'log_2')).toBe(before);
  expect(await db.query({ text: 'select from pg_index where not indisvalid' })).toEqual([]);
});

test('names that Postgres would cut are told apart', async () => {
  const long = `log_${'by_n_'.repeat(11)}`;
  await addIndex(`create index ${long} on only log (n)`, long);
  await run();
  const db = open();
  const indexes = await listIndexes(db, 'log');
  expect(Object.values(indexes).map((own) => own.length)).toEqual([1, 1, 1]);
});

test('a table without partitions is refused, and a migration that is a transaction', async () => {
  await write('0002_plain.sql', 'create table plain (n integer); create index plain_n on plain (n)');
  await write('0003_everywhere.sql', '-- no transaction\n-- complete index plain_n\n');
  await expect(run()).rejects.toThrow('plain_n is no index of a partitioned table');
  await write('0003_everywhere.sql', '-- complete index plain_n\n');
  await expect(run()).rejects.toThrow('it needs the line "-- no transaction"');
});

async function oidOf(db: Database, table: string): Promise<number | undefined> {
  const rows = await db.query<{ oid: number }>({
    text: 'select indexrelid::int8 as oid from pg_index where indrelid = $1::text::regclass',
    values: [table],
  });
  return rows[0]?.oid;
}
