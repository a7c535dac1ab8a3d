import { Code } from '@connectrpc/connect';
import { createTestDatabase, until } from '@parley/testing';
import pg from 'pg';
import { createDatabase, isOutage, type Database } from './index.ts';
import { isTransient } from '../rpc/transient.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const POOL_SIZE = 4;
let url: URL;
let db: Database;

function open(databaseUrl: URL): Database {
  return createDatabase({ url: databaseUrl.href, poolSize: POOL_SIZE, log, applicationName: 'kit-test' });
}

beforeAll(async () => {
  url = new URL(await createTestDatabase());
  db = open(url);
  await db.execute({ text: 'create table item (id serial primary key)' });
});
afterAll(() => db.close());

/** The error with which the promise rejects. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each([
  ['25006', 'a server that takes no writes', Code.Unavailable],
  ['53100', 'a full disk', Code.ResourceExhausted],
  ['53200', 'no memory', Code.ResourceExhausted],
  ['53300', 'too many connections', Code.ResourceExhausted],
  ['57P01', 'a shutdown by an administrator', Code.Unavailable],
  ['57P02', 'a shutdown after a crash', Code.Unavailable],
  ['57P03', 'a server that is starting', Code.Unavailable],
  ['58030', 'a disk that fails', Code.Unavailable],
])('SQLSTATE %s, %s, is an outage that may pass', async (sqlState, _what, code) => {
  const text = `do $$ begin raise exception 'no' using errcode = '${sqlState}'; end $$`;
  const outside = await failureOf(db.execute({ text }));
  const within = await failureOf(db.tx((tx) => tx.savepoint(() => tx.execute({ text }))));
  const asLast = await failureOf(db.tx(async (tx) => tx.last({ text })));
  for (const error of [outside, within, asLast]) {
    expect(error).toMatchObject({ code, sqlState });
    expect([isOutage(error), isTransient(error)]).toEqual([true, true]);
  }
});

test.each([
  ['a database that is not there yet', { pathname: '/not_there_yet' }],
  ['a user who may not log in', { username: 'nobody' }],
])('%s is an outage', async (_what, parts) => {
  const other = open(Object.assign(new URL(url), parts));
  const error = await failureOf(other.query({ text: 'select 1' }));
  await other.close();
  expect(error).toMatchObject({ code: Code.Unavailable });
  expect(isOutage(error)).toBe(true);
});

test('a database that became read-only is read, and written again by every connection once it takes writes', async () => {
  const setting = (value: string) =>
    administer(`alter database ${pg.escapeIdentifier(url.pathname.slice(1))} ${value}`);
  const together = (text: string) =>
    Promise.all(Array.from({ length: POOL_SIZE }, () => db.execute({ text })));
  const write = 'insert into item default values';

  await setting('set default_transaction_read_only = on');
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${url.pathname.slice(1)}'`,
  );
  await until(() => together('select pg_sleep(0.05)').then(() => true as const), {
    withinMs: 10_000,
    what: 'every connection is a new one',
  });
  expect(await failureOf(db.execute({ text: write }))).toMatchObject({
    code: Code.Unavailable,
    sqlState: '25006',
  });
  expect(await failureOf(db.tx((tx) => tx.execute({ text: write })))).toMatchObject({ sqlState: '25006' });
  await expect(together('select from item')).resolves.toHaveLength(POOL_SIZE);

  await setting('reset default_transaction_read_only');
  await until(
    () =>
      together(write).then(
        () => true as const,
        () => undefined,
      ),
    { withinMs: 10_000, what: 'every connection writes' },
  );
});

/** Runs a statement on a connection to another database of the server. */
async function administer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
