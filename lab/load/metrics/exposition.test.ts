import { parseHistograms, quantileOf, subtractHistograms } from './exposition.ts';

function text(counts: readonly number[], sum: number): string {
  const [low, middle, all] = counts;
  return [
    '# HELP batch_wait_seconds Time.',
    '# TYPE batch_wait_seconds histogram',
    `batch_wait_seconds_bucket{le="0.001",service="gateway",batcher="a \\"b\\""} ${low}`,
    `batch_wait_seconds_bucket{le="0.01",service="gateway",batcher="a \\"b\\""} ${middle}`,
    `batch_wait_seconds_bucket{le="+Inf",service="gateway",batcher="a \\"b\\""} ${all}`,
    `batch_wait_seconds_sum{service="gateway",batcher="a \\"b\\""} ${sum}`,
    `batch_wait_seconds_count{service="gateway",batcher="a \\"b\\""} ${all}`,
    '# TYPE requests_count counter',
    'requests_count{service="gateway"} 12',
  ].join('\n');
}

test('histograms are read with their labels, and counters are passed over', () => {
  const [only, ...others] = parseHistograms(text([1, 3, 4], 0.5)).values();
  expect(others).toEqual([]);
  expect(only).toMatchObject({ name: 'batch_wait_seconds', sum: 0.5, count: 4 });
  expect(only?.labels).toEqual({ service: 'gateway', batcher: 'a \\"b\\"' });
  expect(only?.buckets).toEqual([
    { bound: 0.001, count: 1 },
    { bound: 0.01, count: 3 },
    { bound: Infinity, count: 4 },
  ]);
});

test('the difference of two readings has only what was observed between them', () => {
  const [before, after] = [parseHistograms(text([1, 3, 4], 0.5)), parseHistograms(text([1, 13, 24], 2.5))];
  const [observed] = subtractHistograms(after, before);
  expect(observed).toMatchObject({ sum: 2, count: 20 });
  expect(observed?.buckets.map(({ count }) => count)).toEqual([0, 10, 20]);
  expect(subtractHistograms(after, after)).toEqual([]);
  expect(subtractHistograms(after, new Map())).toHaveLength(1);
});

test('a quantile lies on a straight line within its bucket, and ends at the highest bound', () => {
  const [observed] = subtractHistograms(parseHistograms(text([0, 10, 20], 2)), new Map());
  expect(quantileOf(observed!, 0.25)).toBeCloseTo(0.0055, 6);
  expect(quantileOf(observed!, 0.5)).toBeCloseTo(0.01, 6);
  expect(quantileOf(observed!, 0.99)).toBe(0.01);
});
