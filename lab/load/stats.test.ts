import { drive, drivePaced, processTable, quantile, table, type Figures } from './stats.ts';

const FIGURES: Figures = {
  name: 'sends',
  count: 1_000,
  seconds: 0.25,
  p50: 1.5,
  p99: 0,
  cpu: { client: 20, gateway: 60.4, messaging: 70 },
  foreign: 0.04,
  switches: { client: 1, gateway: 0.25, postgres: 0.5 },
};

test('the table has the sum over the platform without the client, and the rate', () => {
  const [head, , row] = table([FIGURES]).split('\n');
  expect(head).toBe(
    '| scenario | items | items/s | p50 ms | p99 ms | all µs | client µs | gateway µs | messaging µs | switches | foreign | note |',
  );
  expect(row).toBe('| sends | 1000 | 4,000 | 1.50 |  | 130 | 20 | 60 | 70 | 0.8 | 4 % |  |');
});

test('the table of processes names those that only switch', () => {
  expect(processTable(FIGURES).split('\n').slice(2)).toEqual([
    '| client | 20 | 1.00 |',
    '| gateway | 60 | 0.25 |',
    '| messaging | 70 | 0 |',
    '| postgres | 0 | 0.50 |',
  ]);
});

test('a quantile is taken from sorted times', () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(3);
  expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
  expect(quantile([], 0.5)).toBe(0);
});

test('drive keeps a number of calls under way', async () => {
  let [underWay, most] = [0, 0];
  const times = await drive(20, 4, async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  });
  expect(times).toHaveLength(20);
  expect(most).toBe(4);
});

test('paced calls are made at their times even while earlier ones have no answer', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const noted: number[] = [];
  let made = 0;
  const began = performance.now();
  const times = await drivePaced(
    { total: 40, rate: 1_000 },
    {
      async call() {
        if (++made === 40) release();
        await held;
      },
      note: (index) => void noted.push(index),
    },
  );
  expect(performance.now() - began).toBeGreaterThanOrEqual(39);
  expect(noted).toHaveLength(40);
  // The first was due 39 ms before the last one released it.
  expect(times.at(-1)).toBeGreaterThanOrEqual(38);
});

test('a paced call that fails ends the run', async () => {
  const failing = { call: () => Promise.reject(new Error('refused')), note: () => undefined };
  await expect(drivePaced({ total: 1_000, rate: 1_000 }, failing)).rejects.toThrow('refused');
});
