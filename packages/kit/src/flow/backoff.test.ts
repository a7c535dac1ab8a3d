import { backoff, spread } from './backoff.ts';

test.each([
  [1, 100],
  [2, 200],
  [5, 1600],
  [6, 2000],
  [5000, 2000],
])('after %i failures the wait is %i ms', (failures, waitMs) => {
  expect(backoff(failures, { firstMs: 100, longestMs: 2000 })).toBe(waitMs);
});

test('waits are spread from half of their length to all of it', () => {
  expect([0, 0.5, 1].map((random) => spread(800, random))).toEqual([400, 600, 800]);
});
