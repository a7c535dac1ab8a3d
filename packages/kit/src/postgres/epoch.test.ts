import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyStopped, startPostgres, until, type OlderCopy, type TestServer } from '@parley/testing';
import { createDatabase, type Database } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createEpochs, DATABASE_EPOCH_TABLE_SQL } from './epoch.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let server: TestServer;
let folder: string;
let older: OlderCopy;
const opened: Database[] = [];

/** A process with a pool, which remembers the last item it stored, as a service remembers what it has published. */
function startProcess({ remembers = false, url = server.url, now = () => performance.now() } = {}) {
  const epochs = createEpochs(log, now);
  const changes: string[] = [];
  epochs.onChange(() => changes.push(epochs.current()));
  const db = createDatabase({ url, poolSize: 2, log, applicationName: 'epoch', epochs });
  opened.push(db);
  let last: { epoch: string; id: number } | undefined;
  const kept = 'select exists (select from item where id = $1) as is_kept';
  if (remembers)
    epochs.witnessedBy(() => last && { epoch: last.epoch, query: { text: kept, values: [last.id] } });
  return {
    db,
    epochs,
    changes,
    async store(id: number) {
      await db.execute({ text: 'insert into item (id) values ($1)', values: [id] });
      last = { epoch: epochs.current(), id };
    },
    async look() {
      // The earlier connections prove to be lost.
      await db.query({ text: 'select' }).catch(() => undefined);
      await db.query({ text: 'select' });
      return epochs.current();
    },
  };
}

/** Starts the copy as a server with another history, which accepts reads for a moment before it is promoted. */
async function promoteOlder(): Promise<void> {
  await older.promote();
  await server.restart();
  const db = createDatabase({ url: server.url, poolSize: 1, log, applicationName: 'promoted' });
  opened.push(db);
  const isPromoted = async () =>
    (await db.query({ text: 'select where not pg_is_in_recovery()' })).length > 0 || undefined;
  await until(isPromoted, { withinMs: 30_000, what: 'the copy is promoted' });
}

beforeAll(async () => {
  server = await startPostgres();
  folder = await mkdtemp(path.join(tmpdir(), 'parley-epoch-'));
  const { db } = startProcess();
  const [row] = await db.query<{ data_directory: string }>({ text: 'show data_directory' });
  await db.execute({ text: 'create table item (id integer primary key)' });
  await db.execute({ text: DATABASE_EPOCH_TABLE_SQL });
  await db.execute({ text: `create role plain login password 'plain'` });
  await startProcess().look();
  await server.stop();
  older = await copyStopped(row?.data_directory ?? '', path.join(folder, 'copy'));
});
beforeEach(async () => {
  await older.putBack();
  await server.restart();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  await server.stop();
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a restart, a crash and another process change nothing', async () => {
  const one = startProcess({ remembers: true });
  await one.store(1);
  const epoch = one.epochs.current();
  expect(epoch).not.toBe('');
  expect(one.epochs.beganAt()).toBe(-Infinity);
  await server.restart();
  expect(await one.look()).toBe(epoch);
  await one.store(2);
  await server.kill();
  await server.restart();
  expect(await one.look()).toBe(epoch);
  expect(await startProcess().look()).toBe(epoch);
  expect(one.changes).toEqual([]);
});

test('a server that is promoted begins an epoch, which all processes agree on', async () => {
  const [one, two] = [startProcess(), startProcess()];
  const epoch = await one.look();
  expect(await two.look()).toBe(epoch);
  const before = Date.now();
  await server.stop();
  await promoteOlder();
  const [next, ofTwo, ofThree] = await Promise.all([one.look(), two.look(), startProcess().look()]);
  expect(next).not.toBe(epoch);
  expect([ofTwo, ofThree]).toEqual([next, next]);
  expect([one.changes, two.changes]).toEqual([[next], [next]]);
  expect(one.epochs.beganAt()).toBeGreaterThanOrEqual(before);
});

test.each([
  ['its log is shorter', false],
  ['it lacks what the process has told', true],
])('older files in the place of newer ones begin an epoch, since %s', async (_, remembers) => {
  const process = startProcess({ remembers });
  const epoch = await process.look();
  await process.store(1);
  if (!remembers) {
    const fill = 'insert into item (id) select generate_series(100, 1100)';
    await process.db.execute({ text: fill });
    await process.epochs.check(process.db);
  }
  await server.stop();
  await older.putBack();
  await server.restart();
  const next = await process.look();
  expect(next).not.toBe(epoch);
  expect(await process.look()).toBe(next);
  expect(await startProcess().look()).toBe(next);
  expect(process.changes).toEqual([next]);
});

test('what another process was told shows that the files are older, once', async () => {
  const epoch = await startProcess().look();
  await server.stop();
  await older.putBack();
  await server.restart();
  const process = startProcess();
  expect(await process.look()).toBe(epoch);
  const query = { text: 'select false as is_kept' };
  await process.epochs.check(process.db, { epoch, query });
  const next = process.epochs.current();
  expect(next).not.toBe(epoch);
  await process.epochs.check(process.db, { epoch, query });
  expect(process.epochs.current()).toBe(next);
});

test('a copy from before its epoch is a former primary at first, and begins another epoch when there is no other server', async () => {
  let at = 0;
  const process = startProcess({ now: () => at });
  await process.look();
  await server.stop();
  await promoteOlder();
  const second = await process.look();
  await server.stop();
  await older.putBack();
  await server.restart();
  await expect(process.look()).rejects.toThrow('of an earlier epoch');
  at = 10_000;
  const third = await process.look();
  expect(process.changes).toEqual([second, third]);
  expect(third).not.toBe(second);
});

test('a connection of an earlier epoch commits nothing', async () => {
  const process = startProcess();
  await process.look();
  const storing = process.db.tx(async (tx) => {
    await tx.execute({ text: 'insert into item (id) values (7)' });
    const query = { text: 'select false as is_kept' };
    await process.epochs.check(process.db, { epoch: process.epochs.current(), query });
  });
  await expect(storing).rejects.toThrow('not used any more');
  expect(await process.db.query({ text: 'select from item where id = 7' })).toEqual([]);
});

/** The address of a role that may do what a service may, and is not the owner of the server. */
async function asPlain(settings: string): Promise<string> {
  const { db } = startProcess();
  await db.execute({ text: 'grant select, update on database_epoch to plain' });
  await db.execute({ text: settings });
  return server.url.replace('postgres:test@', 'plain:plain@');
}

test('a database that may not be written is read, and begins its epoch when it may be', async () => {
  const epoch = await startProcess().look();
  const url = await asPlain('alter role plain set default_transaction_read_only = on');
  await startProcess().db.execute({ text: `update database_epoch set history = 'another'` });
  expect(await startProcess({ url }).look()).toBe('');
  await asPlain('alter role plain reset default_transaction_read_only');
  expect(await startProcess({ url }).look()).not.toBe(epoch);
});

test('where the server tells nothing of its log, the noted epoch counts', async () => {
  for (const name of ['pg_control_system()', 'pg_walfile_name(pg_lsn)', 'pg_current_wal_flush_lsn()'])
    await startProcess().db.execute({ text: `revoke execute on function ${name} from public` });
  const process = startProcess({ url: await asPlain('select') });
  const epoch = await process.look();
  expect(epoch).toBe(await startProcess().look());
  await process.epochs.check(process.db, { epoch, query: { text: 'select false as is_kept' } });
  expect(process.epochs.current()).not.toBe(epoch);
});
