import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/config.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type ServiceProcess = { kill(): Promise<void> };

/** The service in a process of its own, by the system's clock; resolves when it is ready. */
export async function startProcess(config: Config): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PARLEY_DATABASE_URL: config.databaseUrl,
      PARLEY_NATS_URL: config.natsUrl,
      PARLEY_RPC_SECRET: config.rpcSecret,
      PARLEY_MESSAGING_ADDRESS: config.messagingAddress,
      PARLEY_PUBLIC_URL: config.publicUrl,
      PARLEY_CONTENT_URL: config.contentUrl,
      PARLEY_CONTENT_SECRET: config.contentSecret,
      PARLEY_WEBHOOK_ENCRYPTION_KEY: config.encryptionKey,
      PARLEY_WEBHOOK_ALLOW_HTTP: 'true',
      PARLEY_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      PARLEY_LOG_LEVEL: 'fatal',
    },
  });
  await untilReady(child);
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function untilReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('the output is not piped');
  for await (const line of createInterface(stdout)) {
    if (line.includes('"ready"')) return void stdout.resume();
  }
  throw new Error('the service did not start');
}
