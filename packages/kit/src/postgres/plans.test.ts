import { createTestDatabase, until } from '@parley/testing';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createDatabase } from './index.ts';

const log = createLogger({ service: 'test', level: 'silent' });

test('a plan that was made while a table was empty is made anew when the table has grown', async () => {
  const url = await createTestDatabase();
  const db = createDatabase({ url, poolSize: 1, log, applicationName: 'plans' });
  await db.execute({ text: 'create table item (a integer, b integer) with (autovacuum_enabled = off)' });
  await db.execute({ text: 'create index by_a on item (a)' });
  const find = { name: 'find_item', text: 'select from item where a = $1', values: [1] };
  const costWhenPlanned = async (): Promise<string | undefined> => {
    await db.query(find);
    const lines = await db.query({ text: 'explain execute find_item(1)' });
    return /cost=[\d.]+/.exec(JSON.stringify(lines))?.[0];
  };
  const empty = await costWhenPlanned();
  await db.execute({ text: 'insert into item select 1, number from generate_series(1, 20000) as number' });
  await until(async () => ((await costWhenPlanned()) === empty ? undefined : true), {
    withinMs: 20_000,
    what: 'the plan is for the table as it is now',
  });
  await db.close();
});
