import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';
import { readConfig } from '../src/config.ts';
import { describeWith, until } from '../src/index.ts';
import { chosenContainers } from '../src/containers/prepare.ts';

const script = path.join(import.meta.dirname, 'fixture', 'containers.ts');

/** The first bytes from the server, which greets each client. Fails when nothing greets. */
async function greeting({ hostname, port }: URL): Promise<string> {
  for await (const data of connect(Number(port), hostname)) return String(data);
  throw new Error('closed without a greeting');
}

describeWith('containers', 'containers', () => {
  test('the containers of a run that is killed end with it', async () => {
    const { PARLEY_TEST_FOLDER: _, ...env } = readConfig().inherited;
    const args = [script, JSON.stringify(chosenContainers()), 'nats', 'SIGKILL'];
    const { stdout, stderr, signal } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect({ stderr, signal }).toEqual({ stderr: '', signal: 'SIGKILL' });
    const url = new URL(stdout);
    await until(
      () =>
        greeting(url).then(
          () => undefined,
          () => true,
        ),
      {
        withinMs: 15_000,
        what: 'NATS is gone',
      },
    );
  });
});
