import { cells } from '../load/cells.ts';
import type { Sample } from './observer.ts';
import { seriesOf, type Series } from './series.ts';
import { trendOf, type Point, type Trend } from './trend.ts';

export type Soak = {
  minutes: number;
  /** Messages a second. */
  rate: number;
  samples: readonly Sample[];
  failures: { first: readonly string[]; count: number };
};

/** `isGood`: nothing grew that must not, and no call failed. */
export type Report = { text: string; json: object; isGood: boolean };

/** Shares of the time at which values are shown. */
const MARKS = [1 / 12, 1 / 4, 1 / 2, 3 / 4, 1];
/** Share of the run before which caches fill and code is compiled. */
const WARM_AFTER = 1 / 6;

type Row = { series: Series; points: Point[]; trend: Trend };

export function reportOf({ minutes, rate, samples, failures }: Soak): Report {
  const rows = seriesOf(samples)
    .map((series) => rowOf(series, samples, minutes))
    .filter(({ points }) => points.some(({ value }) => round(value) !== '0'));
  const growing = rows.filter(({ trend }) => trend.verdict === 'grows');
  const messages = samples.at(-1)?.messages ?? 0;
  const lasted = samples.at(-1)?.minute ?? 0;
  const text = [
    `${messages.toLocaleString('en')} messages in ${lasted.toFixed(1)} minutes at ${rate} a second, ${failures.count} failures`,
    ...failures.first.map((line) => `FAILED: ${line}`),
    '',
    tableOf(rows, minutes),
    '',
    growing.length === 0
      ? 'nothing grows'
      : `these grow: ${growing.map(({ series }) => series.name).join(', ')}`,
  ].join('\n');
  const trends = rows.map(({ series: { name, unit }, trend }) => ({ name, unit, ...trend }));
  return {
    text,
    json: { minutes, rate, messages, failures, trends, samples },
    isGood: growing.length === 0 && failures.count === 0,
  };
}

function rowOf(series: Series, samples: readonly Sample[], minutes: number): Row {
  const points = samples.flatMap((sample) => {
    const value = series.valueOf(sample);
    return value === undefined ? [] : [{ minute: sample.minute, value }];
  });
  const warm = points.filter(({ minute }) => minute >= minutes * WARM_AFTER);
  const { trend = trendOf, allowance } = series;
  return { series, points, trend: trend(warm, allowance) };
}

function tableOf(rows: readonly Row[], minutes: number): string {
  const marks = MARKS.map((share) => share * minutes);
  const head = ['', 'unit', ...marks.map((minute) => `minute ${round(minute)}`), 'an hour', ''];
  return cells(
    head,
    rows.map(({ series: { name, unit }, points, trend }) => [
      ...[name, unit],
      ...marks.map((minute) => valueNear(points, minute)),
      ...[signed(trend.perHour), trend.verdict],
    ]),
  );
}

/** Empty after the end of an interrupted run. */
function valueNear(points: readonly Point[], minute: number): string {
  const nearest = points.toSorted((a, b) => Math.abs(a.minute - minute) - Math.abs(b.minute - minute))[0];
  return nearest && Math.abs(nearest.minute - minute) <= 1 ? round(nearest.value) : '';
}

function round(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 });
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${round(value)}`;
}
