import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createStopper } from './process.ts';

type Line = { level: string; msg: string } & Record<string, unknown>;

/** A process of its own that runs the body of an async function. */
function launch(body: string, run: 'runProcess' | 'runTask' = 'runProcess', env = {}) {
  const source = `
    import { createStopper, runProcess, runTask } from '${new URL('./process.ts', import.meta.url).href}';
    const print = (msg) => console.log(JSON.stringify({ msg }));
    await ${run}('test', async () => { ${body} });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    env: { ...process.env, ...env },
  });
  const lines: Line[] = [];
  const output = createInterface(child.stdout);
  output.on('line', (line) => lines.push(JSON.parse(line) as Line));
  const saw = async (msg: string) => {
    while (!lines.some((line) => line.msg === msg))
      await Promise.race([once(output, 'line'), once(output, 'close')]);
  };
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]).then(
    ([[code]]) => code as number | null,
  );
  return { child, lines, saw, ended };
}

const SERVING = `
  const stopper = createStopper();
  const timer = setInterval(() => {}, 1000);
  stopper.add('timer', () => { clearInterval(timer); print('timer'); });
  stopper.add('database', async () => { await null; print('database'); });
  stopper.add('server', () => print('server'));
  return { address: { rpcPort: 7001 }, stop: stopper.stop };`;

describe('a process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'says that it is ready, and on %s stops in reverse order',
    async (signal) => {
      const { child, lines, saw, ended } = launch(SERVING);
      await saw('ready');
      expect(lines[0]).toMatchObject({ level: 'info', msg: 'ready', rpcPort: 7001, service: 'test' });
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(lines.map((line) => line.msg)).toEqual([
        'ready',
        'stopping',
        'server',
        'database',
        'timer',
        'stopped',
      ]);
    },
  );

  test('logs that it is ready and how it ends at every log level', async () => {
    const { child, lines, saw, ended } = launch(SERVING, 'runProcess', { PARLEY_LOG_LEVEL: 'silent' });
    await saw('ready');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(lines.filter(({ level }) => level).map(({ msg }) => msg)).toEqual([
      'ready',
      'stopping',
      'stopped',
    ]);
  });

  test('that cannot start says why in one line and exits with 1', async () => {
    const { lines, ended } = launch(
      `setInterval(() => {}, 1000); throw new Error('PORT: is required\\nmore');`,
    );
    expect(await ended).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'fatal', msg: 'cannot start: PORT: is required' }),
    ]);
  });

  test('that does not stop is killed by a second signal', async () => {
    const { child, saw, ended } = launch(
      `setInterval(() => {}, 1000); return { stop: () => new Promise(() => {}) };`,
    );
    await saw('ready');
    child.kill('SIGTERM');
    await saw('stopping');
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
  });

  test('that fails to stop exits with 1', async () => {
    const { child, lines, saw, ended } = launch(`
      const timer = setInterval(() => {}, 1000);
      return { stop: async () => { throw new Error('stuck'); } };`);
    await saw('ready');
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      level: 'fatal',
      msg: 'failed to stop',
      error: { message: 'stuck' },
    });
  });

  test.each([
    ['an exception', `setImmediate(() => { throw new Error('oops'); });`, 'uncaught exception'],
    ['a rejection', `setImmediate(() => Promise.reject(new Error('oops')));`, 'unhandled rejection'],
  ])('exits with 1 on an uncaught %s', async (_name, code, msg) => {
    const { lines, ended } = launch(`${code} setInterval(() => {}, 1000); return { stop: async () => {} };`);
    expect(await ended).toBe(1);
    expect(lines.at(-1)).toMatchObject({ level: 'fatal', msg, error: { message: 'oops' } });
  });
});

// HOSTALIASES makes getaddrinfo of glibc open a file, and opening a pipe that has no writer never returns.
describe('a process that waits for a name server that never answers', () => {
  const LOOK_UP = `
    const { lookup } = await import('node:dns');
    for (const name of ['identity', 'messaging', 'content', 'export', 'webhook']) lookup(name, () => {});`;
  let folder: string;
  let env: { HOSTALIASES: string };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-names-'));
    env = { HOSTALIASES: path.join(folder, 'pipe') };
    execFileSync('mkfifo', [env.HOSTALIASES]);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('ends with 0 once it has stopped', async () => {
    const { child, lines, saw, ended } = launch(
      `${LOOK_UP} return { stop: async () => {} };`,
      'runProcess',
      env,
    );
    await saw('ready');
    child.kill('SIGTERM');
    await saw('stopped');
    expect(await ended).toBe(0);
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });

  test('starts and stops without NATS', async () => {
    const body = `
      const { connectBus } = await import('${new URL('../bus/index.ts', import.meta.url).href}');
      const { createLogger } = await import('${new URL('./telemetry/log.ts', import.meta.url).href}');
      const log = createLogger({ service: 'test', level: 'silent' });
      const bus = await connectBus({ url: 'nats://nats:4222', name: 'test', log });
      return { stop: () => bus.close() };`;
    const { child, saw, ended } = launch(body, 'runProcess', env);
    await saw('ready');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('ends with 1 when it fails', async () => {
    const { lines, ended } = launch(`${LOOK_UP} throw new Error('no');`, 'runProcess', env);
    expect(await ended).toBe(1);
    expect(lines.at(-1)).toMatchObject({ msg: 'cannot start: no' });
  });

  test('ends with 0 when it was a task that has finished', async () => {
    const { ended } = launch(LOOK_UP, 'runTask', env);
    expect(await ended).toBe(0);
  });
});

describe('a task', () => {
  test('exits with 0 when its work is done, even with open handles', async () => {
    const { lines, ended } = launch(`setInterval(() => {}, 1000); print('work');`, 'runTask');
    expect(await ended).toBe(0);
    expect(lines.map((line) => line.msg)).toEqual(['work', 'done']);
  });

  test('that fails says why in one line and exits with 1', async () => {
    const { lines, ended } = launch(`throw new Error('migration 0002 failed\\nmore');`, 'runTask');
    expect(await ended).toBe(1);
    expect(lines).toEqual([expect.objectContaining({ level: 'fatal', msg: 'migration 0002 failed' })]);
  });
});

describe('a stopper', () => {
  test('closes everything even when something fails, and then fails', async () => {
    const closed: string[] = [];
    const stopper = createStopper();
    stopper.add('first', () => closed.push('first'));
    stopper.add('bad', () => Promise.reject(new Error('no')));
    stopper.add('worse', () => {
      throw new Error('never');
    });
    stopper.add('last', () => closed.push('last'));
    await expect(stopper.stop()).rejects.toThrow('worse did not stop: never; bad did not stop: no');
    expect(closed).toEqual(['last', 'first']);
  });

  test('closes once', async () => {
    let count = 0;
    const stopper = createStopper();
    stopper.add('one', () => (count += 1));
    await Promise.all([stopper.stop(), stopper.stop()]);
    expect(count).toBe(1);
  });
});
