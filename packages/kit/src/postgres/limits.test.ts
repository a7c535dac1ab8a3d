import { Code } from '@connectrpc/connect';
import { createTestDatabase, startPostgres, until } from '@parley/testing';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createDatabase, DatabaseError, type Database } from './index.ts';
import { runInContext } from '../runtime/request-context.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let url: string;
let db: Database;
const open = (options: { url?: string; poolSize?: number } = {}): Database =>
  createDatabase({ url, poolSize: 4, log, applicationName: 'kit-test', ...options });

beforeAll(async () => {
  url = await createTestDatabase();
  db = open();
  await db.execute({ text: 'create table item (id integer primary key, n integer not null default 0)' });
});
beforeEach(() => db.execute({ text: 'truncate item' }));
afterAll(() => db.close());

const insert = (id: number) => ({ text: 'insert into item (id) values ($1)', values: [id] });
const ids = async (): Promise<number[]> =>
  (await db.query<{ id: number }>({ text: 'select id from item order by id' })).map(({ id }) => id);

test('a statement that is too slow is DeadlineExceeded, a lock that is not got is Unavailable', async () => {
  const hasty = createDatabase({
    url,
    poolSize: 2,
    log,
    applicationName: 'hasty',
    statementTimeoutMs: 100,
    lockTimeoutMs: 50,
  });
  await db.execute(insert(1));
  await expect(hasty.query({ text: 'select pg_sleep(60)' })).rejects.toMatchObject({
    code: Code.DeadlineExceeded,
  });
  await db.tx(async (tx) => {
    await tx.execute({ text: 'update item set n = 1' });
    const waiting = hasty.execute({ text: 'update item set n = 2' });
    await expect(waiting).rejects.toMatchObject({ code: Code.Unavailable, sqlState: '55P03' });
  });
  await hasty.close();
});

test('an aborted request ends its query on the server', async () => {
  const abort = new AbortController();
  const context = { requestId: 'r', signal: abort.signal };
  const query = runInContext(context, () => db.query({ text: 'select pg_sleep(60) /* long */' }));
  const ended = expect(query).rejects.toMatchObject({ code: Code.Canceled });
  await until(async () => ((await countActive('active', '%/* long */')) === 1 ? true : undefined), {
    withinMs: 10_000,
    what: 'the query runs',
  });
  abort.abort();
  await ended;
  await until(async () => ((await countActive('active', '%/* long */')) === 0 ? true : undefined), {
    withinMs: 10_000,
    what: 'the query has ended',
  });
  await expect(runInContext(context, () => db.query({ text: 'select 1' }))).rejects.toThrow('cancelled');
  expect(await Promise.all([1, 2, 3, 4, 5].map(() => db.query({ text: 'select 1 as one' })))).toHaveLength(5);
});

test('an aborted transaction writes nothing, though its last statement succeeded', async () => {
  const abort = new AbortController();
  const work = runInContext({ requestId: 'r', signal: abort.signal }, () =>
    db.tx(async (tx) => {
      await tx.execute(insert(1));
      const last = tx.execute(insert(2));
      abort.abort();
      await last.catch(() => undefined);
    }),
  );
  await expect(work).rejects.toBeInstanceOf(DatabaseError);
  expect(await ids()).toEqual([]);
});

test('no statement begins after the deadline', async () => {
  const before = db.statements;
  const late = runInContext({ requestId: 'r', deadline: performance.now() - 1 }, () => db.execute(insert(1)));
  await expect(late).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  expect(db.statements).toBe(before);
});

test('an aborted request does not wait for a connection, and leaves none behind', async () => {
  const narrow = open({ poolSize: 1 });
  const abort = new AbortController();
  await narrow.tx(async (tx) => {
    await tx.query({ text: 'select 1' });
    const waiting = runInContext({ requestId: 'r', signal: abort.signal }, () =>
      narrow.query({ text: 'select 1' }),
    );
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: Code.Canceled });
  });
  expect(await narrow.query({ text: 'select 2 as two' })).toEqual([{ two: 2 }]);
  await narrow.close();
});

test('survives a restart of Postgres', async () => {
  const server = await startPostgres();
  const through = open({ url: server.url });
  const query = () => through.query<{ one: number }>({ text: 'select 1 as one', name: 'one' });
  await Promise.all([query(), query(), query()]);
  const interrupted = expect(through.query({ text: 'select pg_sleep(60)' })).rejects.toMatchObject({
    code: Code.Unavailable,
  });
  await server.kill();
  await interrupted;
  await expect(query()).rejects.toMatchObject({ code: Code.Unavailable });
  await server.restart();
  expect(await query()).toEqual([{ one: 1 }]);
  await through.close();
  await server.stop();
});

async function countActive(state: string, like = '%'): Promise<number> {
  const text = `select count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = $1 and query like $2`;
  const [row] = await db.query<{ count: number }>({ text, values: [state, like] });
  return row?.count ?? 0;
}
