import { randomUUID } from 'node:crypto';
import { createTestClock } from '@parley/kit/runtime/clock';
import { ExportInterval } from '@parley/proto/parley/export/v1/export_pb';
import { keys } from './support/open.ts';
import { startExports, type TestExports } from './support/service.ts';

let service: TestExports;
beforeAll(async () => {
  service = await startExports({ clock: createTestClock(Date.UTC(2030, 0, 1)) });
});
afterAll(() => service.stop());

const calls: Record<string, (appId: string) => Promise<unknown>> = {
  'a key': (appId) => service.exports.registerKey({ appId, publicKey: keys.publicKey }),
  'a look at a key': (appId) => service.exports.getKey({ appId }),
  'a list of exports': (appId) => service.exports.listExports({ appId }),
  'a schedule': (appId) =>
    service.exports.configureSchedule({ appId, interval: ExportInterval.DISABLED, events: [], hourUtc: 0 }),
  'a look at a schedule': (appId) => service.exports.getSchedule({ appId }),
  'a deletion': (appId) => service.exports.deleteExport({ appId, id: randomUUID() }).catch(() => undefined),
};

test.each(Object.entries(calls))('%s takes the share of its application alone', async (_, call) => {
  const [noisy, quiet] = [randomUUID(), randomUUID()];
  for (const appId of [noisy, quiet]) await service.exports.registerKey({ appId, publicKey: keys.publicKey });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { shares, config } = service.ctx;
  const filling = Array.from({ length: config.poolSize / 2 }, () => shares.run(noisy, () => ended));
  let isDone = false;
  const waiting = call(noisy).then(() => (isDone = true));
  for (let round = 0; round < 5; round += 1) await call(quiet);
  expect(isDone).toBe(false);
  end();
  await Promise.all([waiting, ...filling]);
});
