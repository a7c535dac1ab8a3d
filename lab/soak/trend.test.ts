import { trendOf, trendOfPeaks, type Point } from './trend.ts';

const ALLOWANCE = { share: 0.1, amount: 2 };

function hour(valueAt: (minute: number) => number): Point[] {
  return Array.from({ length: 56 }, (_, index) => ({ minute: index + 5, value: valueAt(index + 5) }));
}

test('a value that grows by more than its allowance grows', () => {
  const { perHour, verdict } = trendOf(
    hour((minute) => 100 + minute / 4),
    ALLOWANCE,
  );
  expect(perHour).toBeCloseTo(15);
  expect(verdict).toBe('grows');
});

test('a value that swings and has a few outliers is flat', () => {
  const swinging = hour((minute) => 100 + 8 * Math.sin(minute) + (minute % 20 === 0 ? 500 : 0));
  expect(trendOf(swinging, ALLOWANCE).verdict).toBe('flat');
});

test('a small value may grow by the amount', () => {
  const verdictOf = (perHour: number) =>
    trendOf(
      hour((minute) => 1 + (perHour * minute) / 60),
      ALLOWANCE,
    ).verdict;
  expect([verdictOf(2), verdictOf(3)]).toEqual(['flat', 'grows']);
});

test('a value that falls is flat', () => {
  expect(
    trendOf(
      hour((minute) => 100 - minute),
      ALLOWANCE,
    ),
  ).toEqual({ perHour: -60, verdict: 'flat' });
});

test('a value of one moment has no trend', () => {
  expect(trendOf([{ minute: 1, value: 7 }], ALLOWANCE)).toEqual({ perHour: 0, verdict: 'flat' });
});

test('a value that switches between two levels is flat by its peaks, and one whose peaks rise grows', () => {
  const isHigh = (minute: number) => minute < 8 || minute === 21 || minute > 35;
  const switching = hour((minute) => (isHigh(minute) ? 240 : 190));
  expect(trendOfPeaks(switching, ALLOWANCE)).toEqual({ perHour: 0, verdict: 'flat' });
  const rising = hour((minute) => (isHigh(minute) ? 240 : 190) + minute);
  const { perHour, verdict } = trendOfPeaks(rising, ALLOWANCE);
  expect([perHour > 50, verdict]).toEqual([true, 'grows']);
});

test('a value of one moment has no trend by its peaks either', () => {
  expect(trendOfPeaks([{ minute: 1, value: 7 }], ALLOWANCE)).toEqual({ perHour: 0, verdict: 'flat' });
});
