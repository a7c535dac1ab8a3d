import { describeTime } from './describe-time.ts';

const NOW = Date.UTC(2026, 10, 27, 12);
const MINUTE_MS = 60_000;

test.each([
  [0, 'now'],
  [-5_000, '5 seconds ago'],
  [59_000, 'in 59 seconds'],
  [-MINUTE_MS, '1 minute ago'],
  [-59 * MINUTE_MS, '59 minutes ago'],
  [23 * 60 * MINUTE_MS, 'in 23 hours'],
])('a time %d ms from now is %j', (distance, words) => {
  expect(describeTime(new Date(NOW + distance), NOW)).toBe(words);
});

test('a time more than a day from now is a date', () => {
  expect(describeTime(new Date(NOW - 3 * 24 * 60 * MINUTE_MS), NOW)).toMatch(/^Nov 2[345], \d\d:\d\d$/);
});
