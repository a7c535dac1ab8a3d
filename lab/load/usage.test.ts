import { machineTicksIn, measureUsage, sumOfPlatform, switchesIn, ticksIn } from './usage.ts';

test('context switches of a status are its voluntary and its involuntary ones', () => {
  const status = 'Name:\tnode\nvoluntary_ctxt_switches:\t1200\nnonvoluntary_ctxt_switches:\t34\n';
  expect(switchesIn(status)).toBe(1234);
  expect(switchesIn('')).toBe(0);
});

test('ticks of a stat are read behind a name with spaces and brackets', () => {
  const stat = '77 (a) b (c) S 12 77 77 0 -1 4194304 1 2 3 4 500 60 7 8 20 0';
  expect(ticksIn(stat)).toEqual({ ppid: 12, ticks: 575 });
});

test('the machine is busy when it is neither idle nor waits for its disk', () => {
  const stat = 'cpu  100 5 30 1000 40 2 3 20 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n';
  expect(machineTicksIn(stat)).toEqual({ busy: 160, all: 1200 });
});

test('the sum over the platform leaves the client out', () => {
  expect(sumOfPlatform({ client: 20, gateway: 3, postgres: 4 })).toBe(7);
});

test('usage counts the processor time and the context switches of this process', async () => {
  const usage = measureUsage({ processes: [{ name: 'own', pid: process.pid }] });
  const end = performance.now() + 60;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  const { micros, switches, foreign } = usage(1);
  expect(micros['client']).toBeGreaterThan(5_000);
  expect(micros['own']).toBeGreaterThan(5_000);
  expect(foreign).toBeGreaterThanOrEqual(0);
  expect(foreign).toBeLessThanOrEqual(1);
  expect(switches['own']).toBeGreaterThanOrEqual(10);
});
