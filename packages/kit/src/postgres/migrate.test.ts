import { createTestDatabase, until } from '@parley/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../runtime/telemetry/log.ts';
import { dumpSchema, migrate } from './migrate.ts';
import { createDatabase, type Database } from './index.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let dir: string;
let url: string;
const databases: Database[] = [];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'migrate-'));
  const database = new URL(await createTestDatabase());
  database.pathname += '_missing';
  url = database.href;
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((db) => db.close()));
  await rm(dir, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(dir, name), text);
const run = () => migrate({ url, dir, log });

function open(): Database {
  const db = createDatabase({ url, poolSize: 1, log, applicationName: 'migrate-test' });
  databases.push(db);
  return db;
}

test('creates the database and applies in order, each migration once, though four start at once', async () => {
  await write('0001_first.sql', 'create table run (n integer); insert into run values (1);');
  await write('0002_second.sql', 'insert into run select count(*) + 1 from run; select pg_sleep(0.1);');
  await write('0003_third.sql', '-- no transaction\ncreate index concurrently run_n on run (n)');
  const applied = await Promise.all([run(), run(), run(), migrate({ url, dir: pathToFileURL(dir), log })]);
  expect(applied.filter(({ length }) => length > 0)).toEqual([['0001_first', '0002_second', '0003_third']]);
  expect(await open().query({ text: 'select n from run order by n' })).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await run()).toEqual([]);
});

test('applies only what is new', async () => {
  await write('0001_first.sql', 'create table one ()');
  await run();
  await write('0002_second.sql', 'create table two ()');
  expect(await run()).toEqual(['0002_second']);
});

test('refuses a migration that was edited', async () => {
  await write('0001_first.sql', 'create table one ()');
  await run();
  await write('0001_first.sql', 'create table one (); create table two ()');
  await write('0002_second.sql', 'create table three ()');
  await expect(run()).rejects.toThrow('0001_first was changed');
  expect(await dumpSchema(url)).toBe('table one\n');
});

test('refuses a migration that is numbered below an applied one', async () => {
  await write('0002_second.sql', 'create table two ()');
  await run();
  await write('0001_first.sql', 'create table one ()');
  await expect(run()).rejects.toThrow('0001_first comes before 0002_second');
});

test('undoes a migration that fails, keeps those before it, and says which one it was', async () => {
  await write('0001_first.sql', 'create table one ()');
  await write('0002_second.sql', 'create table two (); select nonsense;');
  await expect(run()).rejects.toThrow('migration 0002_second failed: column "nonsense" does not exist');
  expect(await dumpSchema(url)).toBe('table one\n');
});

test('gives way to the statements that queue behind it when it does not get a lock, and is tried again', async () => {
  await write('0001_first.sql', 'create table one (n integer)');
  await run();
  await write('0002_second.sql', 'alter table one add column text text');
  const [reader, writer, watcher] = [open(), open(), open()];
  let migrating: Promise<string[]> | undefined;
  await reader.tx(async (tx) => {
    await tx.query({ text: 'select from one' });
    migrating = migrate({ url, dir, log, lockWait: { timeoutMs: 200, attempts: 1_000, pauseMs: 50 } });
    const isWaiting = () =>
      watcher.query({ text: `select from pg_locks where relation = 'one'::regclass and not granted` });
    await until(async () => ((await isWaiting()).length > 0 ? true : undefined), {
      what: 'the migration waits for the lock',
      withinMs: 20_000,
      everyMs: 5,
    });
    await writer.execute({ text: 'insert into one values (1)' });
  });
  expect(await migrating).toEqual(['0002_second']);
  expect(await watcher.query({ text: 'select n, text from one' })).toEqual([{ n: 1, text: null }]);
});

test('gives up when it does not get a lock, and says which migration it was', async () => {
  await write('0001_first.sql', 'create table one (n integer)');
  await run();
  await write('0002_second.sql', 'create table two (); alter table one add column text text');
  await open().tx(async (tx) => {
    await tx.query({ text: 'select from one' });
    const lockWait = { timeoutMs: 50, attempts: 3, pauseMs: 1 };
    await expect(migrate({ url, dir, log, lockWait })).rejects.toThrow(
      'migration 0002_second failed: canceling statement due to lock timeout',
    );
  });
  expect(await dumpSchema(url)).toBe('table one\n  n integer\n');
});

test('runs the statements of a migration without a transaction one by one, again after one that failed', async () => {
  await write('0001_first.sql', 'create table one (n integer); insert into one values (1), (1)');
  const text =
    'drop index concurrently if exists one_n;\ncreate unique index concurrently one_n on one (n);\n';
  await write('0002_second.sql', `-- no transaction\n${text}`);
  // Leaves an invalid index.
  await expect(run()).rejects.toThrow('migration 0002_second failed: could not create unique index');
  await open().execute({ text: 'delete from one' });
  expect(await run()).toEqual(['0002_second']);
  expect(await open().query({ text: 'select from pg_index where not indisvalid' })).toEqual([]);
});

test('refuses names without a number, and a number given twice', async () => {
  await write('first.sql', '');
  await expect(run()).rejects.toThrow('first.sql is not named like');
  await rm(path.join(dir, 'first.sql'));
  await write('0001_a.sql', '');
  await write('0001_b.sql', '');
  await expect(run()).rejects.toThrow('two migrations have the number 1');
});

test('dumps the schema independently of the order in which it was created', async () => {
  const tables = [
    'create table b (id uuid primary key)',
    'create table a (id integer generated always as identity)',
  ];
  await write(
    '0001_first.sql',
    `${tables.join(';')};
     create type mood as enum ('good', 'bad');
     create table c (
       b_id uuid not null references b, at timestamptz not null default now(), mood mood, n bigint check (n > 0)
     ) partition by range (at);
     create table c_today partition of c default;
     create index c_n on c (n) where n > 5;
     create view d as select id from a;`,
  );
  await run();
  expect(await dumpSchema(url)).toMatchInlineSnapshot(`
    "enum mood ('good', 'bad')
    sequence a_id_seq integer start 1 increment 1
    table a
      id integer not null generated always as identity
    table b
      id uuid not null
      constraint b_pkey PRIMARY KEY (id)
    table c partition by RANGE (at)
      b_id uuid not null
      at timestamp with time zone not null default now()
      mood mood
      n bigint
      constraint c_b_id_fkey FOREIGN KEY (b_id) REFERENCES b(id)
      constraint c_n_check CHECK ((n > 0))
      CREATE INDEX c_n ON ONLY public.c USING btree (n) WHERE (n > 5)
    view d
     SELECT id
       FROM a;
    "
  `);
});
