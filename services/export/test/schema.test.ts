import { readFile, writeFile } from 'node:fs/promises';
import { createLogger } from '@parley/kit/log';
import { dumpSchema, migrate } from '@parley/kit/migrate';
import { createTestDatabase } from '@parley/stack/testing';

const golden = new URL('../schema.sql', import.meta.url);

// After a new migration: UPDATE_SCHEMA=1 writes the record anew; its difference belongs into the review.
test('the migrations make the schema that is on record', async () => {
  const url = await createTestDatabase();
  const log = createLogger({ service: 'test', level: 'silent' });
  await migrate({ url, dir: new URL('../migrations/', import.meta.url), log });
  const schema = await dumpSchema(url);
  if (process.env.UPDATE_SCHEMA) await writeFile(golden, schema);
  expect(schema).toBe(await readFile(golden, 'utf8'));
});
