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

test('the tables of consumers have the columns that their code expects', async () => {
  const [mine, expected] = [await migratedDatabase(), await createTestDatabase()];
  const db = createDatabase({ url: expected, poolSize: 1, log, applicationName: 'test' });
  await db.execute({ text: consumedEventTableSql });
  await db.close();
  const [here, there] = [await dumpSchema(mine), await dumpSchema(expected)];
  for (const name of ['consumed_event', 'dead_letter'])
    expect(tableOf(here, name)).toBe(tableOf(there, name));
});

function tableOf(schema: string, name: string): string {
  const table = new RegExp(`^table ${name}\\n(?: {2}.*\\n)*`, 'm').exec(schema)?.[0];
  if (!table) throw new Error(`there is no table ${name}`);
  return table;
}
