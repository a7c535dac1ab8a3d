import { fileURLToPath } from 'node:url';
import { startTestProcess, type TestProcess } from '@parley/testing';
import type { Config } from '../../src/config.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The service in a process of its own, by the system's clock; resolves when it is ready. */
export function startProcess(config: Config): Promise<TestProcess> {
  return startTestProcess(main, {
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
  });
}
