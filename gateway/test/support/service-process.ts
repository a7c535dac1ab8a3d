import { fileURLToPath } from 'node:url';
import { createTestDatabase, startTestProcess, testNats } from '@parley/testing';
import { RPC_SECRET } from './gateway.ts';

export type ServiceProcess = { address: string; stop(): Promise<void> };

/** A real service in a process of its own, on a fresh database; ready to be called. */
export async function startServiceProcess(
  name: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL(`../../../services/${name}/dist/main.js`, import.meta.url));
  const { ready, stop } = await startTestProcess(main, {
    PARLEY_RPC_PORT: '0',
    PARLEY_METRICS_PORT: '-1',
    PARLEY_DATABASE_URL: await createTestDatabase(),
    PARLEY_NATS_URL: await testNats(),
    PARLEY_RPC_SECRET: RPC_SECRET,
    PARLEY_LOG_LEVEL: 'warn',
    ...env,
  });
  return { address: `127.0.0.1:${Number(ready['rpc_port'])}`, stop };
}
