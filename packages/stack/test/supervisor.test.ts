import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '../src/pids.ts';
import { freePort } from '../src/free-port.ts';
import { guardProcess } from '../src/guard.ts';
import { until } from '../src/until.ts';
import { processFolder } from '../src/process-folder.ts';
import { about, newDataDir, readState } from './platform-fixture.ts';

const script = fileURLToPath(new URL('./fixture/supervisor.ts', import.meta.url));

type Supervisor = { child: ChildProcess; dataDir: string; port: number; output(): string };

async function startSupervisor(given: { dataDir?: string; port?: number } = {}): Promise<Supervisor> {
  const dataDir = given.dataDir ?? newDataDir();
  const port = given.port ?? (await freePort());
  const child = spawn(process.execPath, [script, dataDir, String(port)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => (output += String(chunk)));
  child.once('exit', guardProcess(processFolder(), child.pid!));
  return { child, dataDir, port, output: () => output };
}

async function untilUp({ child, output }: Supervisor): Promise<void> {
  await until(() => (output().includes('\nup\n') ? true : undefined), {
    withinMs: 20_000,
    what: 'the supervisor is up',
    given: () => (child.exitCode === null ? undefined : output()),
  });
}

async function everyPid({ child, dataDir, port }: Supervisor): Promise<number[]> {
  const pids = readState(dataDir).processes.map(({ pid }) => pid);
  return [child.pid!, ...pids, (await about(port)).child];
}

async function untilGone(pids: number[]): Promise<void> {
  await until(() => (pids.some(isAlive) ? undefined : true), { withinMs: 10_000, what: 'all are gone' });
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s stops everything and leaves no process behind',
  async (signal) => {
    const supervisor = await startSupervisor();
    await untilUp(supervisor);
    const pids = await everyPid(supervisor);
    expect(pids.filter(isAlive)).toEqual(pids);
    supervisor.child.kill(signal);
    expect((await once(supervisor.child, 'exit'))[0]).toBe(0);
    expect(supervisor.output()).toMatch(/Stopping …\nStopped.\n$/);
    await untilGone(pids);
  },
);

test('asked to stop in the middle of its start, it stops and leaves no process behind', async () => {
  const supervisor = await startSupervisor();
  const up = /postgres is up \(process (\d+)/;
  await until(() => up.exec(supervisor.output()) ?? undefined, { withinMs: 20_000, what: 'Postgres is up' });
  supervisor.child.kill('SIGINT');
  expect((await once(supervisor.child, 'exit'))[0]).toBe(0);
  await untilGone([...supervisor.output().matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid)));
});

test('it stops when its parent process has ended', async () => {
  const supervisor = await startSupervisor();
  await untilUp(supervisor);
  const pids = await everyPid(supervisor);
  supervisor.child.disconnect();
  await untilGone(pids);
});

test('killed with SIGKILL, it leaves nothing that keeps the next start from coming up on the same data', async () => {
  const first = await startSupervisor();
  await untilUp(first);
  const pids = await everyPid(first);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await startSupervisor(first);
  await untilUp(second);
  expect(pids.filter(isAlive)).toEqual([]);
  second.child.kill('SIGINT');
  await once(second.child, 'exit');
});

test('a start ends what an earlier one left whose guard is gone too', async () => {
  const dataDir = newDataDir();
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  const run = path.join(dataDir, 'run', '1-1');
  mkdirSync(run, { recursive: true });
  guardProcess(run, left.pid!);
  // Its pid belongs to another process by now, which must not be ended.
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  writeFileSync(path.join(run, `${other.pid}.pid`), `${other.pid}\n1\n`);
  writeFileSync(path.join(dataDir, 'lock.json'), JSON.stringify({ pid: process.pid, startTime: '1' }));
  const supervisor = await startSupervisor({ dataDir });
  await untilUp(supervisor);
  expect(isAlive(left.pid!)).toBe(false);
  expect(isAlive(other.pid!)).toBe(true);
  other.kill('SIGKILL');
  supervisor.child.kill('SIGINT');
  await once(supervisor.child, 'exit');
});
