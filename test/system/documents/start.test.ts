import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort, testWith } from '@parley/testing';
import { call, MEDIA_TYPE } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { until } from '../../support/until.ts';

const repository = path.resolve(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-start-'));
const dataDir = path.join(folder, 'data');
let started: ChildProcess;
let printed = '';

beforeAll(async () => {
  const env = { ...process.env, PARLEY_PORT: String(await freePort()), PARLEY_DATA_DIR: dataDir };
  started = spawn(process.execPath, [path.join(repository, 'packages', 'stack', 'src', 'start.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await until(
    'everything is up',
    () => {
      if (started.exitCode !== null) throw new Error(`it ended: ${printed}`);
      return printed.includes('Stop with Ctrl-C') || undefined;
    },
    60_000,
  );
}, 70_000);

afterAll(() => {
  started?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function readState(): Json {
  return JSON.parse(readFileSync(path.join(dataDir, 'state.json'), 'utf8'));
}

/** Runs a printed line as a shell does; fails unless the answer is a success. */
async function paste(line: string): Promise<Json> {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `${line} --silent --show-error --fail-with-body`,
  ]);
  return JSON.parse(stdout);
}

test('the curl lines that are printed work when they are pasted', async () => {
  const lines = printed.split('\n').filter((line) => line.startsWith('curl '));
  expect(lines).toHaveLength(3);
  const [login, create, send] = lines as [string, string, string];
  const session = await paste(login);
  const conversation = await paste(create);
  const message = await paste(send);
  expect(message).toMatchObject({ position: 1, conversation: { id: conversation.id } });
  const headers = { authorization: `Svc session-token="${session.session_token}"` };
  const { body } = await call('GET', conversation.messages_url, 200, { headers });
  expect(body.map(({ id }: Json) => id)).toEqual([message.id]);
});

test('the chat is at the printed address as soon as it is built', async () => {
  const [, address = ''] = /^Chat of Ada and Grace: (\S+)$/m.exec(printed) ?? [];
  const built = async () => (await fetch(address)).status === 200 || undefined;
  await until('the chat is built', built, 60_000);
});

test('state.json lists the processes, and the demo application’s secrets work', async () => {
  const { base_url, processes, demo } = readState();
  expect(processes.map(({ kind }: Json) => kind)).toEqual(
    expect.arrayContaining(['infra', 'service', 'gateway']),
  );
  for (const { pid } of processes) expect(() => process.kill(pid, 0)).not.toThrow();
  expect(readFileSync(demo.private_key_file, 'utf8')).toContain('PRIVATE KEY');
  expect((await call('GET', `${demo.login_url}/session?user=ada`, 200)).body.session_token).toBeTruthy();
  expect(demo.app_id.endsWith(`/${demo.app_uuid}`)).toBe(true);
  const headers = { accept: MEDIA_TYPE, authorization: `Bearer ${demo.access_token}` };
  await call('GET', `${base_url}/apps/${demo.app_uuid}/conversations`, 200, { headers });
});

testWith('proc', 'everything but the gateway and the content service listens on loopback only', () => {
  const { processes } = readState();
  const open: [string, number][] = [];
  for (const { name, pid } of processes) {
    const listening = listenersOf(pid);
    expect([name, listening.length > 0]).toEqual([name, true]);
    for (const { port, isLoopback } of listening) if (!isLoopback) open.push([name, port]);
  }
  const portOf = (name: string): number => processes.find((one: Json) => one.name === name).http_port;
  expect(open.sort()).toEqual([
    ['content', portOf('content')],
    ['gateway', portOf('gateway')],
  ]);
});

/** TCP sockets that a process listens on. */
function listenersOf(pid: number): { port: number; isLoopback: boolean }[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = readdirSync(folder).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(path.join(folder, fd)))?.[1] ?? [];
    } catch {
      // Closed since the folder was listed.
      return [];
    }
  });
  const lines = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n').slice(1),
  );
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    if (state !== '0A' || !inodes.includes(inode)) return [];
    const isLoopback = address === '0100007F' || address === `${'0'.repeat(24)}01000000`;
    return [{ port: Number.parseInt(port, 16), isLoopback }];
  });
}

test('Ctrl-C ends it and everything that it started', async () => {
  const pids = readState().processes.map(({ pid }: Json) => pid as number);
  started.kill('SIGINT');
  await once(started, 'exit');
  expect(started.exitCode).toBe(0);
  expect(existsSync(path.join(dataDir, 'state.json'))).toBe(false);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
});
