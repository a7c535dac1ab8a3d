import { median } from '../load/stats.ts';

/** A value at a time. */
export type Point = { minute: number; value: number };

/** How much a value may grow during a soak: the larger of a share of its median and an amount. */
export type Allowance = { share: number; amount: number };

export type Trend = { perHour: number; verdict: 'flat' | 'grows' };

/**
 * The median of the slopes between all pairs of points (Theil and Sen), which a few outliers do not move, and whether the growth that it
 * means for the time between the first and the last point is more than allowed. A value that falls is flat.
 */
export function trendOf(points: readonly Point[], allowance: Allowance): Trend {
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.value - from.value) / (to.minute - from.minute)),
  );
  return judge(median(slopes), points, allowance);
}

/**
 * The trend of a value that switches between levels, and would have a slope by chance if it ended on the higher level: the growth from the largest value of the first half of the time to that of the second half.
 */
export function trendOfPeaks(points: readonly Point[], allowance: Allowance): Trend {
  const middle = ((points[0]?.minute ?? 0) + (points.at(-1)?.minute ?? 0)) / 2;
  const peak = (half: readonly Point[]): number => Math.max(...half.map(({ value }) => value));
  const early = points.filter(({ minute }) => minute <= middle);
  const late = points.filter(({ minute }) => minute > middle);
  const halfMinutes = middle - (points[0]?.minute ?? 0);
  return judge(late.length > 0 ? (peak(late) - peak(early)) / halfMinutes : 0, points, allowance);
}

function judge(perMinute: number, points: readonly Point[], { share, amount }: Allowance): Trend {
  const minutes = (points.at(-1)?.minute ?? 0) - (points[0]?.minute ?? 0);
  const allowed = Math.max(amount, share * Math.abs(median(points.map(({ value }) => value))));
  return { perHour: perMinute * 60, verdict: perMinute * minutes > allowed ? 'grows' : 'flat' };
}
