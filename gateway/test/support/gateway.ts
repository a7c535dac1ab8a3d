import type { Transport } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import { freePort, testNats } from '@parley/testing';
import { readConfig } from '../../src/config.ts';
import { createService, type Service } from '../../src/service.ts';

export const ADMIN_TOKEN = 'the-administration-token-of-tests';
export const RPC_SECRET = 'the-rpc-secret-of-tests';

export type TestGateway = Service & { baseUrl: string };

export type GatewayOptions = {
  clock?: Clock;
  log?: Logger;
  env?: Record<string, string>;
  identityTransport?: Transport;
  messagingTransport?: Transport;
  contentTransport?: Transport;
};

/** The gateway itself, in this process, on a port of its own. */
export async function startGateway({ env = {}, ...overrides }: GatewayOptions): Promise<TestGateway> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const config = readConfig({
    PARLEY_HTTP_PORT: String(port),
    PARLEY_PUBLIC_URL: baseUrl,
    PARLEY_NATS_URL: await testNats(),
    PARLEY_RPC_SECRET: RPC_SECRET,
    PARLEY_IDENTITY_ADDRESS: '127.0.0.1:1',
    PARLEY_MESSAGING_ADDRESS: '127.0.0.1:1',
    PARLEY_WEBHOOK_ADDRESS: '127.0.0.1:1',
    PARLEY_PUSH_ADDRESS: '127.0.0.1:1',
    PARLEY_EXPORT_ADDRESS: '127.0.0.1:1',
    PARLEY_ANNOUNCEMENT_ADDRESS: '127.0.0.1:1',
    PARLEY_CONTENT_ADDRESS: '127.0.0.1:1',
    PARLEY_CONTENT_URL: 'http://content.test',
    PARLEY_CONTENT_SECRET: 'the-content-secret-of-tests',
    PARLEY_ADMIN_TOKEN: ADMIN_TOKEN,
    PARLEY_ADMINISTRATION_ON_PUBLIC_PORT: 'true',
    PARLEY_LOG_LEVEL: 'silent',
    ...env,
  });
  const service = await createService(config, overrides);
  return { ...service, baseUrl };
}
