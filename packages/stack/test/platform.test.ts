import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPlatform, type Platform } from '../src/platform.ts';
import { isAlive } from '../src/pids.ts';
import { freePort } from '../src/free-port.ts';
import { until } from '../src/until.ts';
import { about, fixtureCatalog, newDataDir, pidOf, readState, startFixture } from './platform-fixture.ts';

let platform: Platform | undefined;

afterEach(async () => {
  await platform?.stop();
  platform = undefined;
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('state.json names every process and every address', async () => {
  const dataDir = newDataDir();
  const port = await freePort();
  platform = await startFixture({ dataDir, port });
  const state = readState(dataDir);
  expect(state).toEqual(platform.state);
  expect(state.base_url).toBe(`http://127.0.0.1:${port}`);
  expect(state.processes.map(({ name, kind }) => [name, kind])).toEqual([
    ['postgres', 'infra'],
    ['nats', 'infra'],
    ['messaging', 'service'],
    ['gateway', 'gateway'],
  ]);
  expect((await about(port)).pid).toBe(pidOf(state, 'gateway'));
  expect(await query(state.postgres_url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const nats = connect(Number(new URL(state.nats_url).port), '127.0.0.1');
  expect(String((await once(nats, 'data'))[0])).toContain('"jetstream":true');
  nats.destroy();
});

test.each(['gateway', 'messaging', 'nats', 'postgres'])(
  'a killed %s is started again at once, and state.json knows its pid',
  async (name) => {
    const dataDir = newDataDir();
    platform = await startFixture({ dataDir });
    const old = pidOf(readState(dataDir), name);
    platform.kill(name);
    const found = await until(
      () => {
        const pid = pidOf(readState(dataDir), name);
        return pid !== old && isAlive(pid) ? pid : undefined;
      },
      { withinMs: 1_000, what: `${name} is started again` },
    );
    await platform.untilReady(name);
    expect(pidOf(readState(dataDir), name)).toBe(found);
    expect(isAlive(old)).toBe(false);
    expect(await query(platform.state.postgres_url, 'select 1 as one')).toEqual([{ one: 1 }]);
  },
);

test.each(['stop', 'discard'] as const)(
  '%s leaves no process behind, children of children included',
  async (end) => {
    platform = await startFixture();
    const { processes } = platform.state;
    const ports = processes
      .filter(({ kind }) => kind !== 'infra')
      .map((one) => one.http_port ?? one.rpc_port!);
    const children = (await Promise.all(ports.map(about))).map(({ child }) => child);
    const pids = [...processes.map(({ pid }) => pid), ...children];
    expect(pids.map(isAlive)).toEqual(pids.map(() => true));
    await platform[end]();
    await until(() => (pids.some(isAlive) ? undefined : true), { withinMs: 1_000, what: 'all are gone' });
  },
);

test('what is in the data folder can be read by its owner only, also what an earlier start left there', async () => {
  const dataDir = newDataDir();
  const others = path.join(newDataDir(), 'others');
  writeFileSync(others, 'x', { mode: 0o644 });
  mkdirSync(path.join(dataDir, 'blobs', 'content', 'a'), { recursive: true, mode: 0o755 });
  writeFileSync(path.join(dataDir, 'blobs', 'content', 'a', 'part'), 'x', { mode: 0o644 });
  mkdirSync(path.join(dataDir, 'journal'), { mode: 0o775 });
  mkdirSync(path.join(dataDir, 'logs'), { mode: 0o755 });
  writeFileSync(path.join(dataDir, 'logs', 'gateway.log'), '', { mode: 0o666 });
  symlinkSync(others, path.join(dataDir, 'blobs', 'link'));
  for (const folder of [dataDir, path.join(dataDir, 'blobs')]) chmodSync(folder, 0o755);
  const umask = process.umask(0o022);
  try {
    platform = await startFixture({ dataDir });
  } finally {
    process.umask(umask);
  }
  const files = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })];
  // NATS asks for 0750 and 0640.
  expect(files).toEqual(
    expect.arrayContaining(['nats/jetstream', 'postgres/PG_VERSION', 'blobs/content/a/part']),
  );
  const open = files.filter((file) => {
    const found = lstatSync(path.join(dataDir, file), { throwIfNoEntry: false });
    return found && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });
  // A user who may enter the database's folder may connect to its socket, which asks for a password.
  expect(open.filter((file) => !file.startsWith('postgres/.s.PGSQL'))).toEqual([]);
  expect(lstatSync(others).mode & 0o777).toBe(0o644);
});

test('replicas have addresses of their own, and every process gets all of them', async () => {
  platform = await startFixture({
    replicas: { messaging: 2 },
    env: { '*': { PARLEY_LOG_LEVEL: 'debug' }, gateway: { PARLEY_LOG_LEVEL: 'warn' } },
  });
  const replicas = platform.state.processes.filter(({ kind }) => kind === 'service');
  expect(replicas.map(({ name }) => name)).toEqual(['messaging', 'messaging-2']);
  const { env } = await about(Number(new URL(platform.baseUrl).port));
  expect(env.PARLEY_MESSAGING_ADDRESS).toBe(replicas.map((one) => `127.0.0.1:${one.rpc_port}`).join(','));
  expect(env.PARLEY_LOG_LEVEL).toBe('warn');
  const { env: other } = await about(replicas[1]!.rpc_port!);
  expect(other.PARLEY_LOG_LEVEL).toBe('debug');
  expect(new URL(other.PARLEY_DATABASE_URL!).pathname).toBe('/parley_messaging');
});

test('background services run at a lower priority', async () => {
  const catalog = fixtureCatalog.map((one) => ({ ...one, inBackground: one.kind === 'service' }));
  platform = await startFixture({ catalog });
  const usual = getPriority();
  const priorities = platform.state.processes.map(({ name, pid }) => [name, getPriority(pid)]);
  const lower = Math.min(19, usual + 10);
  expect(Object.fromEntries(priorities)).toEqual({
    postgres: usual,
    nats: usual,
    gateway: usual,
    messaging: lower,
  });
  const session = `/proc/${pidOf(platform.state, 'messaging')}/autogroup`;
  if (!existsSync(session)) return;
  await until(() => / nice 10\n$/.test(readFileSync(session, 'utf8')) || undefined, {
    withinMs: 2_000,
    what: 'the session has a lower priority',
  });
});

test('the data folder may be below one that only its owner enters', async () => {
  const parent = newDataDir();
  chmodSync(parent, 0o700);
  platform = await startFixture({ dataDir: path.join(parent, 'data') });
  expect(await query(platform.state.postgres_url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a second start finds the data again; a fresh one does not', async () => {
  const options = { dataDir: newDataDir(), port: await freePort() };
  platform = await startFixture(options);
  await query(platform.state.postgres_url, 'create table kept ()');
  const token = platform.state.admin_token;
  await platform.stop();

  const tables = `select tablename from pg_tables where tablename = 'kept'`;
  platform = await startFixture(options);
  expect(await query(platform.state.postgres_url, tables)).toEqual([{ tablename: 'kept' }]);
  expect(platform.state.admin_token).toBe(token);
  await platform.stop();

  platform = await startFixture({ ...options, fresh: true });
  expect(await query(platform.state.postgres_url, tables)).toEqual([]);
  expect(platform.state.admin_token).not.toBe(token);
});

test('a second instance on the same folder is refused in one sentence, and the first goes on', async () => {
  const dataDir = newDataDir();
  platform = await startFixture({ dataDir });
  await expect(startFixture({ dataDir })).rejects.toThrow(
    `Parley already runs on ${dataDir} (process ${process.pid}): stop that one first, or set PARLEY_DATA_DIR to another folder.`,
  );
  expect(readState(dataDir)).toEqual(platform.state);
});

test('a port in use is refused in one sentence, before anything is started', async () => {
  const server = createServer().listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const starting = startPlatform({ dataDir: newDataDir(), port, catalog: fixtureCatalog, report });
  await expect(starting).rejects.toThrow(`Port ${port} is in use`);
  expect(lines).toEqual([]);
  server.close();
});

test('a process that never gets ready fails the start, which leaves nothing behind', async () => {
  const entry = '/nowhere/main.js';
  const catalog = [{ name: 'broken', kind: 'service' as const, entry, ports: [] }];
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  await expect(startFixture({ catalog, report })).rejects.toThrow(
    /^broken does not start: it ended: .*broken\.log\)$/,
  );
  const pids = lines.map((line) => Number(/process (\d+)/.exec(line)?.[1]));
  expect(pids).toHaveLength(2);
  expect(pids.filter(isAlive)).toEqual([]);
});
