import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describeListener } from './testing/listener-rules.ts';
import { createMetrics } from '../runtime/telemetry/metrics.ts';
import { serveMetrics } from './metrics-server.ts';

test('metrics, health and readiness are served', async () => {
  const metrics = createMetrics('messaging');
  metrics
    .counter({ name: 'messages_total', help: 'Messages.', labelNames: ['kind'] })
    .inc({ kind: 'text' }, 2);
  let ready: () => boolean = () => false;
  const server = await serveMetrics({ port: 0, host: '127.0.0.1', metrics, ready: () => ready() });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const { status, text } = await get('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('messages_total{kind="text",service="messaging"} 2');
  expect(text).toMatch(/^process_cpu_seconds_total\{/m);
  expect((await get('/healthz')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(503);
  ready = () => true;
  expect((await get('/readyz')).status).toBe(200);
  ready = () => {
    throw new Error('database');
  };
  expect((await get('/readyz')).status).toBe(503);
  expect((await get('/other')).status).toBe(404);
  await server.stop();
  await expect(get('/healthz')).rejects.toThrow();
});

test('an offer of another protocol is declined by answering in this one', async () => {
  const server = await serveMetrics({ port: 0, metrics: createMetrics('x'), ready: () => true });
  const headers = { connection: 'upgrade', upgrade: 'h2c' };
  const req = request({ port: server.port, path: '/healthz', headers }).end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  expect([res.statusCode, await text(res)]).toEqual([200, 'ok']);
  await server.stop();
});

test('port -1 serves nothing', async () => {
  const server = await serveMetrics({ port: -1, metrics: createMetrics('x'), ready: () => true });
  expect(server.port).toBe(-1);
  await server.stop();
});

test('the same name is the same metric', () => {
  const metrics = createMetrics('x');
  const config = { name: 'seconds', help: 'Seconds.' };
  expect(metrics.histogram(config)).toBe(metrics.histogram(config));
});

let listening: Awaited<ReturnType<typeof serveMetrics>>;
beforeAll(async () => {
  listening = await serveMetrics({ port: 0, metrics: createMetrics('x'), ready: () => true });
});
afterAll(() => listening.stop());

describeListener('metrics', () => ({
  port: listening.port,
  host: `127.0.0.1:${listening.port}`,
  reads: ['/metrics', '/healthz', '/readyz', '/healthz?probe=1'].map((target) => ({ target })),
  unknown: ['/METRICS', '/Healthz'],
  writes: [],
  isApi: false,
  tagged: [],
}));
