import { isTime } from './time.ts';

test.each([0, 1, 1_795_432_867_711, 8.64e15])('%d is a time', (value) => {
  expect(isTime(value)).toBe(true);
});

test.each([-1, -1e15, 0.5, 8.64e15 + 1, 2 ** 63, 1e308, Infinity, -Infinity, NaN])(
  '%d is no time',
  (value) => {
    expect(isTime(value)).toBe(false);
  },
);
