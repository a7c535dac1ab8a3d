import { startPlatform } from '@parley/stack/platform';
import { cellEnvironment } from './cell-database.ts';
import { metricsUrlOf } from './metrics-url.ts';

// Runs the platform for the system tests of one test run; ends with a signal.
const [dataDir = '', port = '0'] = process.argv.slice(2);
const cells = await cellEnvironment();
const running = await startPlatform({
  dataDir,
  port: Number(port),
  durable: false,
  yieldsProcessors: false,
  demo: false,
  recordsStatements: true,
  // Limits are loosened for the tests, except on the one gateway whose limits they test.
  replicas: { gateway: 2 },
  env: {
    ...cells,
    '*': { PARLEY_RATE_LIMIT_FACTOR: '0' },
    'gateway-2': {
      PARLEY_RATE_LIMIT_FACTOR: '0.5',
      PARLEY_RATE_LIMIT_SESSION: '2',
      PARLEY_RATE_LIMIT_SESSION_BURST: '10',
      PARLEY_RATE_LIMIT_ACCESS_TOKEN: '2',
      PARLEY_RATE_LIMIT_ACCESS_TOKEN_BURST: '20',
      PARLEY_RATE_LIMIT_ADDRESS: '2',
      PARLEY_RATE_LIMIT_ADDRESS_BURST: '12',
      PARLEY_TRUSTED_PROXIES: '1',
    },
  },
  report: (line) => process.stderr.write(`platform: ${line}\n`),
});

function stop(): void {
  void running.stop().then(() => process.exit(0));
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('SIGQUIT', stop);
process.stdout.on('error', () => undefined);
const { admin_token: adminToken, postgres_url: postgresUrl, processes } = running.state;
const limited = processes.find(({ name }) => name === 'gateway-2');
const limitedUrl = `http://127.0.0.1:${limited?.http_port}`;
const metricsUrls = Object.fromEntries(
  processes.filter(({ kind }) => kind !== 'infra').map(({ name }) => [name, metricsUrlOf(running, name)]),
);
const messagingUrl = cells['messaging']?.['PARLEY_DATABASE_URL'];
const described = {
  baseUrl: running.baseUrl,
  adminToken,
  postgresUrl,
  messagingUrl,
  limitedUrl,
  metricsUrls,
};
process.stdout.write(`${JSON.stringify(described)}\n`);
