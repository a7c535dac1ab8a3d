import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@parley/testing';
import { createLogger } from '../runtime/telemetry/log.ts';
import { dumpSchema, migrate } from '../postgres/migrate.ts';
import { readMigrations, statementsOf } from '../postgres/migrate/files.ts';
import { createDatabase, type Database } from '../postgres/index.ts';
import { UPDATES_GOLDEN } from './env.ts';
import { addPartition, listIndexes, listPartitioned } from './partitions.ts';

const LOG = createLogger({ service: 'test', level: 'silent' });
/** Holds the few messages that could not be handled, and is used for nothing else. */
const MAY_BE_REWRITTEN = 'dead_letter';

/**
 * Declares the tests of a service's schema: its `migrations/` make what `schema.sql` records, and the tables that kit
 * works with are as kit's own SQL makes them. UPDATE_SCHEMA=1 writes the record anew; its difference belongs into the
 * review.
 */
export function testSchema({ service, kitSql }: { service: URL; kitSql: string[] }): void {
  const dir = new URL('migrations/', service);
  const golden = new URL('schema.sql', service);

  async function migratedDatabase(): Promise<string> {
    const url = await createTestDatabase();
    await migrate({ url, dir, log: LOG });
    return url;
  }

  test('the migrations make the schema that is on record', async () => {
    const schema = await dumpSchema(await migratedDatabase());
    if (UPDATES_GOLDEN) await writeFile(golden, schema);
    expect(schema).toBe(await readFile(golden, 'utf8'));
  });

  test('no migration writes a table anew: that would hold up everything else that uses it', async () => {
    const url = await createTestDatabase();
    const db = createDatabase({ url, poolSize: 1, log: LOG, applicationName: 'test' });
    const rewritten: string[] = [];
    for (const migration of await readMigrations(dir)) {
      const { name } = migration;
      const before = await filesOf(db);
      for (const text of statementsOf(migration)) await db.execute({ text });
      const after = await filesOf(db);
      for (const [table, file] of before)
        if ((after.get(table) ?? file) !== file) rewritten.push(`${name}: ${table}`);
    }
    await db.close();
    expect(rewritten).toEqual([]);
  });

  test('migrating again, or several at once, changes nothing', async () => {
    const url = await migratedDatabase();
    const before = await dumpSchema(url);
    const applied = await Promise.all([1, 2, 3].map(() => migrate({ url, dir, log: LOG })));
    expect(applied).toEqual([[], [], []]);
    expect(await dumpSchema(url)).toBe(before);
  });

  test('a partition of any release has after the upgrade the indexes that a new one gets', async () => {
    expect(await findUnevenPartitions(dir)).toEqual([]);
  });

  test('the tables that kit works with are as its code expects them', async () => {
    const expected = tablesOf(await dumpSchema(await databaseOf(kitSql)));
    const actual = tablesOf(await dumpSchema(await migratedDatabase()));
    expect(expected.size).toBeGreaterThan(0);
    for (const [name, columns] of expected) expect([name, actual.get(name)]).toEqual([name, columns]);
  });
}

type Lacking = [partition: string, indexes: string[]];

/** Adds a partition after each migration, and lists those that lack indexes of the one that is added last. */
async function findUnevenPartitions(dir: URL): Promise<Lacking[]> {
  const url = await createTestDatabase();
  const db = createDatabase({ url, poolSize: 1, log: LOG, applicationName: 'test' });
  const upTo = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  const migrations = await readMigrations(dir);
  for (const [day, { version, name }] of migrations.entries()) {
    const file = `${String(version).padStart(4, '0')}_${name}.sql`;
    await cp(fileURLToPath(new URL(file, dir)), path.join(upTo, file));
    await migrate({ url, dir: upTo, log: LOG });
    for (const table of await listPartitioned(db))
      await addPartition(db, table, { partition: `${table.name}_of_${version}`, day });
  }
  await rm(upTo, { recursive: true });
  const uneven: Lacking[] = [];
  for (const table of await listPartitioned(db)) {
    await addPartition(db, table, { partition: `${table.name}_new`, day: migrations.length });
    const partitions = await listIndexes(db, table.name);
    const wanted = partitions[`${table.name}_new`] ?? [];
    const lacking = Object.entries(partitions).map(([partition, has]): Lacking => {
      return [partition, wanted.filter((one) => !has.includes(one))];
    });
    uneven.push(...lacking.filter(([, indexes]) => indexes.length > 0));
  }
  await db.close();
  return uneven;
}

async function databaseOf(statements: string[]): Promise<string> {
  const url = await createTestDatabase();
  const db = createDatabase({ url, poolSize: 1, log: LOG, applicationName: 'test' });
  for (const text of statements) await db.execute({ text });
  await db.close();
  return url;
}

/** The file of each table that has one; a table that is written anew has another afterwards. */
async function filesOf(db: Database): Promise<Map<string, number>> {
  const rows = await db.query<{ name: string; file: number }>({
    text: `select relname as name, pg_relation_filenode(oid)::int8 as file from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> $1`,
    values: [MAY_BE_REWRITTEN],
  });
  return new Map(rows.map(({ name, file }) => [name, file]));
}

function tablesOf(schema: string): Map<string, string> {
  const tables = schema.matchAll(/^table (\w+)\n((?: {2}.*\n)*)/gm);
  return new Map([...tables].map(([, name = '', columns = '']) => [name, columns]));
}
