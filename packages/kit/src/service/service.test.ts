import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestDatabase, startNats, until, type TestNatsOptions } from '@parley/testing';
import { connectBus } from '../bus/index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createMetrics } from '../runtime/telemetry/metrics.ts';
import { createDatabase } from '../postgres/index.ts';
import { startService } from './index.ts';
import type { ServiceConfig } from '../runtime/config/service-settings.ts';

const log = createLogger({ service: 'test', level: 'silent' });

test('a service is not ready while its NATS server takes no message of the required size', async () => {
  const options: TestNatsOptions = { maxPayloadBytes: 1024 * 1024 };
  const nats = await startNats(options);
  const config = await configOf(nats.url);
  const service = await startService({
    name: 'test',
    config,
    migrations: pathToFileURL(await mkdtemp(path.join(tmpdir(), 'parley-migrations-'))),
    stream: {
      name: 'EVENTS',
      subjects: ['event.>'],
      maxAgeMs: 1000,
      maxBytes: 1e6,
      replicas: 1,
      duplicateWindowMs: 100,
    },
    async open(stopper) {
      const db = createDatabase({ url: config.databaseUrl, poolSize: 2, log, applicationName: 'test' });
      stopper.add('database', () => db.close());
      const bus = await connectBus({ url: nats.url, name: 'test', log, largestMessage: 2_000_000 });
      stopper.add('bus', () => bus.close());
      return { db, bus, log, metrics: createMetrics('test') };
    },
    start: () => undefined,
  });
  const status = async () => (await fetch(`http://127.0.0.1:${service.address.metrics_port}/readyz`)).status;
  expect(await status()).toBe(503);
  options.maxPayloadBytes = 4 * 1024 * 1024;
  await nats.kill();
  await nats.restart();
  await until(async () => (service.context.bus.connected && (await status()) === 200) || undefined, {
    withinMs: 15_000,
    what: 'it is ready',
  });
  await service.stop();
  await nats.stop();
});

async function configOf(natsUrl: string): Promise<ServiceConfig> {
  return {
    rpcPort: 0,
    metricsPort: 0,
    internalHost: undefined,
    poolSize: 2,
    natsUrl,
    natsUser: undefined,
    natsPassword: undefined,
    tlsFolder: undefined,
    natsTlsFolder: undefined,
    rpcSecret: 'a secret of these tests',
    acceptedRpcSecrets: [],
    streamReplicas: 1,
    streamMaxBytes: 1e6,
    logLevel: 'silent',
    otlpEndpoint: undefined,
    databaseUrl: await createTestDatabase(),
  };
}
