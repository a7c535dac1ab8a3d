import { Code } from '@connectrpc/connect';
import { startPostgres, type TestServer } from '@parley/testing';
import { createDatabase, type Database } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let server: TestServer;
let db: Database;

const open = (statementTimeoutMs: number): Database =>
  createDatabase({ url: server.url, poolSize: 1, log, applicationName: 'standby', statementTimeoutMs });

beforeAll(async () => {
  server = await startPostgres();
  db = open(5_000);
  await db.execute({ text: 'create table item (id integer primary key)' });
  await db.execute({ text: `alter system set synchronous_standby_names = 'absent'` });
  await db.query({ text: 'select pg_reload_conf()' });
});
afterAll(async () => {
  await db.close();
  await server.stop();
});

const insert = (id: number) => ({ text: 'insert into item (id) values ($1)', values: [id] });

type Work = (through: Database, hooks: string[]) => Promise<unknown>;
const inTransaction =
  (id: number, timeoutMs: number, last: boolean): Work =>
  (through, hooks) =>
    through.tx(
      async (tx) => {
        tx.afterCommit(
          () => hooks.push('known'),
          () => hooks.push('unknown'),
        );
        if (last) tx.last(insert(id));
        else await tx.execute(insert(id));
      },
      { timeoutMs },
    );

test.each<[string, number, Work]>([
  ['a transaction that the server gives up', 400, inTransaction(1, 5_000, false)],
  ['one in one piece', 400, inTransaction(2, 5_000, true)],
  ['a transaction that this process gives up', 5_000, inTransaction(3, 400, false)],
])('%s while it waits for its synchronous standby has an unknown outcome', async (_, timeoutMs, work) => {
  const through = open(timeoutMs);
  const hooks: string[] = [];
  await expect(work(through, hooks)).rejects.toMatchObject({ code: Code.Unavailable, isUnknown: true });
  expect(hooks).toEqual(['unknown']);
  await through.close();
});

test('the same holds for a statement outside of a transaction', async () => {
  const through = open(400);
  await expect(through.execute(insert(4))).rejects.toMatchObject({ isUnknown: true });
  await through.close();
});
