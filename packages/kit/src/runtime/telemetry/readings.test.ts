import { createMetrics } from './metrics.ts';

const lines = async (metrics: ReturnType<typeof createMetrics>) =>
  (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('depth'))
    .sort();

test('values are read at each look, with the labels of each', async () => {
  const metrics = createMetrics('test');
  const depths = { a: 1, b: 2 };
  for (const name of ['a', 'b'] as const)
    metrics.reading({ name: 'depth', help: '.', labels: { queue: name }, read: () => depths[name] });
  expect(await lines(metrics)).toEqual([
    'depth{queue="a",service="test"} 1',
    'depth{queue="b",service="test"} 2',
  ]);
  depths.a = 3;
  expect((await lines(metrics))[0]).toBe('depth{queue="a",service="test"} 3');
});

test('the last value stays while a reading fails or does not end, and the others are read', async () => {
  const metrics = createMetrics('test');
  let how: () => Promise<number> = () => Promise.resolve(1);
  let other = 5;
  metrics.reading({ name: 'depth', help: '.', labels: { queue: 'a' }, read: () => how() });
  metrics.reading({ name: 'depth', help: '.', labels: { queue: 'b' }, read: () => other });
  await lines(metrics);
  how = () => Promise.reject(new Error('no database'));
  other = 6;
  expect(await lines(metrics)).toEqual([
    'depth{queue="a",service="test"} 1',
    'depth{queue="b",service="test"} 6',
  ]);
  let isAsked = 0;
  const { promise, resolve } = Promise.withResolvers<number>();
  how = () => (isAsked++, promise);
  expect((await lines(metrics))[0]).toBe('depth{queue="a",service="test"} 1');
  expect((await lines(metrics))[0]).toBe('depth{queue="a",service="test"} 1');
  expect(isAsked).toBe(1);
  resolve(7);
  expect((await lines(metrics))[0]).toBe('depth{queue="a",service="test"} 7');
});
