import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { readConfig } from './config.ts';
import { createCitusDatabase } from './citus.ts';
import { startStore } from './containers/start.ts';
import { startNats } from './nats.ts';
import { SHARED_POSTGRES, startPostgres } from './postgres.ts';
import { sharedServer } from './shared.ts';

export { freePort } from '@parley/stack/free-port';
export { startFlooder, type Flood, type FloodCost, type Flooder } from './flood.ts';
export { guardProcess } from '@parley/stack/guard';
export { createAuthority, writeCertificates, type Authority } from './authority.ts';
export { startCeph, type S3Access, type TestCeph } from './ceph.ts';
export {
  describeWith,
  findChromium,
  findPython,
  findProgram,
  isAvailable,
  isOptional,
  testWith,
  type Optional,
} from './optional.ts';
export { testS3 } from './s3.ts';
export { keepNatsFiles, refusalsOf, startNats, type TestNats, type TestNatsOptions } from './nats.ts';
export { startNatsProxy, type NatsProxy } from './nats-proxy.ts';
export { copyStopped, type OlderCopy } from './older-copy.ts';
export { startPostgresProxy, SEAMS, type PostgresProxy, type Seam } from './postgres-proxy.ts';
export { startPostgres, type TestPostgresOptions } from './postgres.ts';
export { createCitusDatabase } from './citus.ts';
export { startTestProcess, type TestProcess } from './test-process.ts';
export type { TestServer } from './server.ts';
export { sharedServer } from './shared.ts';
export { startTcpProxy, type Direction, type TcpProxy } from './tcp-proxy.ts';
export { until } from '@parley/stack/until';

/**
 * The deadline of a service test's calls, in milliseconds. Longer than that of a real client: how long a machine stands still that runs
 * many tests says nothing about what the test is about.
 */
export const CALL_TIMEOUT_MS = 20_000;

/** The url of a fresh, empty database, as superuser, on a server that the test run shares. */
export async function createTestDatabase(): Promise<string> {
  const server = await testPostgres();
  const name = `parley_test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name} template template0`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The url of a fresh, empty database for these cells: of the cluster whose coordinator `PARLEY_TEST_CITUS_URL` is, where Citus places them. */
export function createTestDatabaseFor(cells: string): Promise<string> {
  const { testCitusUrl } = readConfig();
  if (!cells.startsWith('citus')) return createTestDatabase();
  if (testCitusUrl === undefined) throw new Error('PARLEY_TEST_CITUS_URL is not set');
  return createCitusDatabase(testCitusUrl);
}

/**
 * The address of a NATS server with JetStream that the test files of a worker share, one after the other. Two files at the
 * same time cannot: a service's durable consumer has one name, and what one instance of it takes the other never sees.
 */
export async function testNats(): Promise<string> {
  const { testNatsUrl, testWorker } = readConfig();
  return (
    testNatsUrl ??
    sharedServer(`nats-${testWorker}`, (folder) => startStore('nats', folder, () => startNats({ folder })))
  );
}

async function testPostgres(): Promise<string> {
  return (
    readConfig().testPostgresUrl ??
    sharedServer('postgres', (folder) =>
      startStore('postgres', folder, () => startPostgres({ folder, ...SHARED_POSTGRES })),
    )
  );
}
