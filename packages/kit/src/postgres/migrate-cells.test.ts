import { createTestDatabase } from '@parley/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '../runtime/telemetry/log.ts';
import type { CellPlan } from '../runtime/config/cell-plan.ts';
import { createDatabase, type Database } from './index.ts';
import { migrate } from './migrate.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let dir: string;
let url: string;
const databases: Database[] = [];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'migrate-cells-'));
  url = await createTestDatabase();
  await write('0001_item.sql', 'create table item (id integer primary key); insert into item values (1)');
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((db) => db.close()));
  await rm(dir, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(dir, name), text);
const schemas = (count: number): CellPlan => ({ kind: 'schemas', count });
const run = (cells?: CellPlan) => migrate({ url, dir, log, cells });

function open(name?: string): Database {
  const cell = name === undefined ? undefined : { name };
  const db = createDatabase({ url, poolSize: 1, log, applicationName: 'cells-test', cell });
  databases.push(db);
  return db;
}

test('each cell has the tables of all migrations, and a later migration comes to each', async () => {
  expect(await run(schemas(2))).toEqual(['p00/0001_item', 'p01/0001_item']);
  await write('0002_index.sql', '-- no transaction\ncreate index concurrently item_by_id on item (id);\n');
  expect(await run(schemas(3))).toEqual([
    'p00/0002_index',
    'p01/0002_index',
    'p02/0001_item',
    'p02/0002_index',
  ]);
  expect(await run(schemas(3))).toEqual([]);
  const indexes = await open().query({ text: `select from pg_indexes where indexname = 'item_by_id'` });
  expect(indexes).toHaveLength(3);
});

test('several processes at once migrate each cell once', async () => {
  const applied = await Promise.all([run(schemas(3)), run(schemas(3)), run(schemas(3))]);
  expect(applied.flat()).toEqual(['p00/0001_item', 'p01/0001_item', 'p02/0001_item']);
});

test('a connection of a cell sees its tables alone, whatever the schema public has', async () => {
  await run(schemas(2));
  await open('p00').execute({ text: 'insert into item values (2)' });
  expect(await open('p01').query({ text: 'select id from item' })).toEqual([{ id: 1 }]);
  await open().execute({ text: 'create table public.other ()' });
  await expect(open('p01').query({ text: 'select from other' })).rejects.toMatchObject({ sqlState: '42P01' });
});

test('a lock of one cell is free in another one', async () => {
  await run(schemas(2));
  const [first, again, other] = [open('p00'), open('p00'), open('p01')];
  expect(await first.tryLock('job')).toBeDefined();
  expect(await again.tryLock('job')).toBeUndefined();
  expect(await other.tryLock('job')).toBeDefined();
  expect(await open().tryLock('job')).toBeDefined();
});

test.each<[string, CellPlan, CellPlan | undefined, RegExp]>([
  ['fewer cells than there are', schemas(3), schemas(2), /has the cells p02, which PARLEY_CELLS leaves out/],
  ['one cell where there are several', schemas(2), { kind: 'one', count: 1 }, /has the cells p00, p01/],
  [
    'several cells where there is one',
    { kind: 'one', count: 1 },
    schemas(2),
    /alter schema public rename to p00/,
  ],
])('%s are refused, and nothing is made', async (_, before, after, message) => {
  await run(before);
  await expect(run(after)).rejects.toThrow(message);
  expect(await run(before)).toEqual([]);
});

test('the one cell of an installation becomes the first of several', async () => {
  await run({ kind: 'one', count: 1 });
  const db = open();
  await db.execute({ text: 'insert into item values (7)' });
  await db.execute({ text: 'alter schema public rename to p00' });
  await db.execute({ text: 'create schema public' });
  expect(await run(schemas(2))).toEqual(['p01/0001_item']);
  expect(await open('p00').query({ text: 'select id from item order by id' })).toEqual([
    { id: 1 },
    { id: 7 },
  ]);
});

test('a database that has its cells is not written to, so that a process starts while it is read-only', async () => {
  await run(schemas(2));
  await open().execute({
    text: `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only to on`,
  });
  expect(await run(schemas(2))).toEqual([]);
});

describe('cells that are made ahead', () => {
  const add = (count: number) => migrate({ url, dir, log, cells: schemas(count), usedCells: 2 });
  const marks = () =>
    open().query<{ schema: string; mark: string }>({
      text: `select nspname as schema, obj_description(oid, 'pg_namespace') as mark from pg_namespace
        where nspname ~ '^p[0-9]{2}$' and obj_description(oid, 'pg_namespace') is not null order by 1`,
    });

  test('stay beside processes that do not know them, and are used once the setting names them', async () => {
    await run(schemas(2));
    expect(await add(4)).toEqual(['p02/0001_item', 'p03/0001_item']);
    expect((await marks()).map(({ schema }) => schema)).toEqual(['p02', 'p03']);
    expect(await run(schemas(2))).toEqual([]);
    expect(await run(schemas(3))).toEqual([]);
    expect((await marks()).map(({ schema }) => schema)).toEqual(['p03']);
    await expect(run(schemas(2))).rejects.toThrow(/has the cells p02, which PARLEY_CELLS leaves out/);
  });

  test('are completed after an interruption, and until then do not count as complete', async () => {
    await run(schemas(2));
    const fault = `
      select 1 / (3 - count(*)) from pg_class
      where relname = 'item' and not exists (select from pg_class where relname = 'repaired')`;
    await write('0002_fault.sql', fault);
    await expect(add(3)).rejects.toThrow(/0002_fault failed/);
    expect(await marks()).toEqual([{ schema: 'p02', mark: 'Parley: a cell that is making' }]);
    await open().execute({ text: 'create table public.repaired ()' });
    expect(await add(3)).toEqual(['p02/0002_fault']);
    expect(await marks()).toEqual([{ schema: 'p02', mark: 'Parley: a cell that is added' }]);
  });

  test('are made once when two ask for them at once', async () => {
    await run(schemas(2));
    const applied = await Promise.all([add(4), add(4)]);
    expect(applied.flat().sort()).toEqual(['p02/0001_item', 'p03/0001_item']);
  });
});
