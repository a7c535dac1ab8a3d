import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, testNats } from '@parley/stack/testing';
import { RPC_SECRET } from './gateway.ts';

export type ServiceProcess = { address: string; stop(): Promise<void> };

/** A real service in a process of its own, on a fresh database; ready to be called. */
export async function startServiceProcess(
  name: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL(`../../../services/${name}/src/main.ts`, import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PARLEY_RPC_PORT: '0',
      PARLEY_METRICS_PORT: '-1',
      PARLEY_DATABASE_URL: await createTestDatabase(),
      PARLEY_NATS_URL: await testNats(),
      PARLEY_RPC_SECRET: RPC_SECRET,
      PARLEY_LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const address = `127.0.0.1:${await rpcPortOf(child, name)}`;
  return { address, stop: () => stop(child) };
}

type Line = { msg?: string; level?: string; rpc_port?: number };

/** From the line that says `ready`; what a process says before it ends without one is the error. */
async function rpcPortOf(child: ChildProcess, name: string): Promise<number> {
  const said: string[] = [];
  if (!child.stdout) throw new Error('the output is not piped');
  for await (const text of createInterface(child.stdout)) {
    said.push(text);
    const line = text.startsWith('{') ? (JSON.parse(text) as Line) : {};
    if (line.msg !== 'ready' || line.rpc_port === undefined) continue;
    child.stdout.resume();
    return line.rpc_port;
  }
  throw new Error(`${name} did not start: ${said.join('\n')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
