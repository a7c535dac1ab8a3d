import { startNats, startTcpProxy, until, type TcpProxy, type TestNats } from '@parley/testing';
import { connectBus, type Bus } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const AHEAD_MS = 36 * 3_600_000;
const { now } = Date;

let nats: TestNats;
let proxy: TcpProxy;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  proxy = await startTcpProxy(nats.url);
});
afterEach(() => void (Date.now = now));
afterAll(async () => {
  await bus?.close();
  await proxy?.stop();
  await nats?.stop();
});

test('a process that connected while its clock was ahead comes back to NATS after the clock was set', async () => {
  Date.now = () => now() + AHEAD_MS;
  bus = await connectBus({ url: proxy.url, name: 'clock-test', log });
  expect(bus.connected).toBe(true);
  Date.now = now;
  proxy.cut();
  await until(() => !bus.connected || undefined, { withinMs: 10_000, what: 'the loss is noticed' });
  proxy.restore();
  await until(() => bus.connected || undefined, { withinMs: 10_000, what: 'it is connected again' });
});
