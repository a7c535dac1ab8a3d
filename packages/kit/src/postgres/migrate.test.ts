import { createTestDatabase } from '@parley/stack/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../telemetry/log.ts';
import { dumpSchema, migrate } from './migrate.ts';
import { createDatabase, type Database } from '../postgres.ts';

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
