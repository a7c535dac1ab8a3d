import { Code } from '@connectrpc/connect';
import { createTestDatabase, startTcpProxy, until, type TcpProxy } from '@parley/testing';
import { createDatabase, isOutage, type Database } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

// Behaviour of connections whose server vanishes without notice.

const log = createLogger({ service: 'test', level: 'silent' });
let url: string;
let proxy: TcpProxy;
let db: Database;

beforeEach(async () => {
  url = await createTestDatabase();
  proxy = await startTcpProxy(url);
  db = createDatabase({
    ...{ url: proxy.url, poolSize: 1, log, applicationName: 'silence' },
    statementTimeoutMs: 300,
  });
});
afterEach(async () => {
  await db.close();
  await proxy.stop();
});

test('a statement on such a connection fails as in an outage, and the next one has another connection', async () => {
  await db.query({ text: 'select 1' });
  proxy.swallow();
  const error = await db.query({ text: 'select 1' }).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: Code.Unavailable });
  expect(isOutage(error)).toBe(true);
  expect(await db.query({ text: 'select 2 as two' })).toEqual([{ two: 2 }]);
}, 20_000);

test('closing does not wait for a server that does not answer', async () => {
  const lock = await db.tryLock('job');
  expect(await lock?.isHeld()).toBe(true);
  proxy.swallow();
  await db.close();
}, 10_000);

test('a lock on such a connection is not held any more, and can be taken again once the server notices', async () => {
  const lock = await db.tryLock('job');
  expect(await lock?.isHeld()).toBe(true);
  proxy.swallow();
  expect(await lock?.isHeld()).toBe(false);
  expect(await db.tryLock('job')).toBeUndefined();

  const administration = createDatabase({ url, poolSize: 1, log, applicationName: 'administration' });
  await administration.query({
    text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'silence'",
  });
  await administration.close();
  const taken = await until(() => db.tryLock('job'), { withinMs: 10_000, what: 'the lock is taken again' });
  expect(await taken.isHeld()).toBe(true);
}, 20_000);
