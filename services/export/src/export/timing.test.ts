import { nextAtHour, retryDelay } from './timing.ts';

function at(text: string) {
  return Date.parse(`${text}Z`);
}

test.each([
  ['2030-05-01T03:59:59.999', 4, '2030-05-01T04:00:00'],
  ['2030-05-01T04:00:00', 4, '2030-05-02T04:00:00'],
  ['2030-05-01T00:00:00', 0, '2030-05-02T00:00:00'],
  ['2030-12-31T23:30:00', 23, '2031-01-01T23:00:00'],
])('after %s the next time at hour %i is %s', (now, hour, expected) => {
  expect(nextAtHour(at(now), hour)).toBe(at(expected));
});

test('failed runs are retried after ever longer delays, at most an hour', () => {
  expect([0, 1, 2, 20, 2000].map(retryDelay)).toEqual([5000, 10_000, 20_000, 3_600_000, 3_600_000]);
});
