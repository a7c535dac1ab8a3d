import { readFile, writeFile } from 'node:fs/promises';
import { consumedEventTableSql } from '@parley/kit/consume';
import { createLogger } from '@parley/kit/log';
import { dumpSchema, migrate } from '@parley/kit/migrate';
import { createDatabase } from '@parley/kit/postgres';
import { createTestDatabase } from '@parley/stack/testing';

const log = createLogger({ service: 'test', level: 'silent' });
const dir = new URL('../migrations/', import.meta.url);
const golden = new URL('../schema.sql', import.meta.url);

async function migratedDatabase(): Promise<string> {
  const url = await createTestDatabase();
  await migrate({ url, dir, log });
  return url;
}

// After a new migration: UPDATE_SCHEMA=1 writes the record anew; its difference belongs into the review.
test('the migrations make the schema that is on record', async () => {
  const schema = await dumpSchema(await migratedDatabase());
  if (process.env.UPDATE_SCHEMA) await writeFile(golden, schema);
  expect(schema).toBe(await readFile(golden, 'utf8'));
});

test('migrating again, or several at once, changes nothing', async () => {
  const url = await migratedDatabase();
  const before = await dumpSchema(url);
  const applied = await Promise.all([1, 2, 3].map(() => migrate({ url, dir, log })));
  expect(applied).toEqual([[], [], []]);
  expect(await dumpSchema(url)).toBe(before);
});

test('the tables of consumers have the columns that their code expects', async () => {
  const [mine, expected] = [await migratedDatabase(), await createTestDatabase()];
  const db = createDatabase({ url: expected, poolSize: 1, log, applicationName: 'test' });
  await db.execute({ text: consumedEventTableSql });
  await db.close();
  const [actual, wanted] = [await dumpSchema(mine), await dumpSchema(expected)];
  for (const table of ['consumed_event', 'dead_letter']) {
    expect(tableOf(actual, table)).toBe(tableOf(wanted, table));
    expect(tableOf(actual, table)).toBeDefined();
  }
});

function tableOf(schema: string, name: string): string | undefined {
  return new RegExp(`^table ${name}\\n(?: {2}.*\\n)*`, 'm').exec(schema)?.[0];
}
