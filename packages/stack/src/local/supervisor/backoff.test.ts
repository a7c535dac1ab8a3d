import { createBackoff } from './backoff.ts';

test('starts again at once, then ever later, up to ten seconds', () => {
  const backoff = createBackoff();
  const delays = Array.from({ length: 10 }, () => backoff.next(5));
  expect(delays).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test('is forgiven once the process stayed up', () => {
  const backoff = createBackoff();
  for (let failure = 0; failure < 5; failure++) backoff.next(5);
  expect(backoff.next(60_000)).toBe(0);
  expect(backoff.next(5)).toBe(100);
});
