import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority, startPostgres, until, writeCertificates, type TestServer } from '@parley/testing';
import { createDatabase, type Database } from './index.ts';
import { runInContext } from '../runtime/request-context.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let folder: string;
let server: TestServer;
let opened: Database[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-postgres-tls-'));
  writeCertificates(folder, await (await createAuthority()).issue('postgres'));
  server = await startPostgres({ tlsFolder: folder });
});
afterEach(async () => {
  await Promise.all(opened.map((db) => db.close()));
  opened = [];
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Database {
  const db = createDatabase({
    url: server.url,
    poolSize: 2,
    log,
    applicationName: 'tls-test',
    statementTimeoutMs: 60_000,
  });
  opened.push(db);
  return db;
}

const ONE = { text: 'select 1' };

test('a new connection trusts the authorities that the file has by then', async () => {
  const db = open();
  await db.query(ONE);
  writeCertificates(folder, await (await createAuthority()).issue('postgres'));
  await expect(open().query(ONE)).rejects.toThrow(/certificate/);
  await db.query(ONE);
  await server.reload();
  const connects = () =>
    open()
      .query(ONE)
      .catch(() => undefined);
  await until(connects, { withinMs: 10_000, what: 'a connection with the replaced certificates' });
});

test('a cancelled statement is cancelled on the server', async () => {
  const db = open();
  const cancelling = new AbortController();
  const sleep = 'select pg_sleep(50)';
  const active = `select from pg_stat_activity where state = 'active' and query = '${sleep}'`;
  const count = () => db.execute({ text: active });
  const context = { requestId: 'r', signal: cancelling.signal };
  const sleeping = runInContext(context, () => db.query({ text: sleep })).catch(String);
  await until(async () => (await count()) === 1 || undefined, { withinMs: 10_000, what: 'it runs' });
  cancelling.abort();
  expect(await sleeping).toContain('cancel');
  // The server would not notice within this time that the connection is closed.
  await until(async () => (await count()) === 0 || undefined, { withinMs: 10_000, what: 'it has ended' });
});
