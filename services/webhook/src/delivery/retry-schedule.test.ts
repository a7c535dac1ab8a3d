import { parseRetryAfter } from '@parley/outbound/turns/retry-schedule';
import { retryDelay } from './retry-schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('the schedule is the one of the protocol', () => {
  const delays = Array.from({ length: 11 }, (_, index) => retryDelay(index + 1, 0));
  expect(delays).toEqual([
    ...[10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 20 * MINUTE],
    ...[HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR, undefined],
  ]);
});

test('jitter adds at most a fifth and subtracts nothing', () => {
  expect(retryDelay(1, 1)).toBe(12 * SECOND);
  expect(retryDelay(1, 0.5)).toBe(11 * SECOND);
});

test('the target may ask for a longer delay, up to a day, but not for a shorter one', () => {
  expect(retryDelay(1, 0, MINUTE)).toBe(MINUTE);
  expect(retryDelay(1, 0, SECOND)).toBe(10 * SECOND);
  expect(retryDelay(1, 0, 1000 * HOUR)).toBe(24 * HOUR);
  expect(retryDelay(11, 0, MINUTE)).toBeUndefined();
});

test.each([
  ['120', 120 * SECOND],
  [' 5 ', 5 * SECOND],
  ['Thu, 01 Jan 1970 00:01:00 GMT', MINUTE],
  ['Thu, 01 Jan 1960 00:01:00 GMT', 0],
  ['soon', 0],
  ['-1', 0],
  [undefined, 0],
])('Retry-After %j stands for %d ms', (header, expected) => {
  expect(parseRetryAfter(header, 0)).toBe(expected);
});
