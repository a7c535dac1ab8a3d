import fc from 'fast-check';
import { fraction } from '../src/fraction.ts';

test('each tenth of the range gets its share of fractions', () => {
  const drawn = fc.sample(fraction, { numRuns: 2_000, seed: 1 });
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) =>
      drawn.filter((value) => value >= tenth / 10 && (value < (tenth + 1) / 10 || tenth === 9)).length,
  );
  expect(Math.min(...tenths)).toBeGreaterThan(100);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(1);
});
