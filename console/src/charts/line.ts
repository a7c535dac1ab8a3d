import { formatTime, formatValue, valueAt, type Chart, type Step } from './charts.ts';

/** A line in the units of the picture, which is 100 by 100 and stretched to its place. */
export type Line = { name: string; values: readonly number[] };

/** The lines of a chart, one for each series. */
export function linesOf(chart: Chart, steps: readonly Step[]): Line[] {
  return chart.series.map((series) => ({
    name: series.name,
    values: steps.map((step) => valueAt(chart, series, step)),
  }));
}

/** How far from the left a step is. A step without others is at the right, where the present is. */
export function xOf(index: number, count: number): number {
  return count < 2 ? 100 : (index / (count - 1)) * 100;
}

/** The line as a path of SVG; `end` is the value at the top. */
export function pathOf(values: readonly number[], end: number): string {
  const points = values.map(
    (value, index) => `${xOf(index, values.length).toFixed(2)},${(100 - (value / end) * 100).toFixed(2)}`,
  );
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** The area below the line. */
export function areaOf(values: readonly number[], end: number): string {
  return values.length === 0 ? '' : `${pathOf(values, end)}L100,100L0,100Z`;
}

/** Says in words what the picture shows. */
export function describeChart(
  { title, about, unit }: Chart,
  lines: readonly Line[],
  steps: readonly Step[],
): string {
  const from = formatTime(steps.at(0)?.figures.start ?? 0);
  const to = formatTime(steps.at(-1)?.figures.start ?? 0);
  const texts = lines.map(({ name, values }) => {
    const most = formatValue(Math.max(0, ...values), unit);
    return `${name}: at most ${most}, at the end ${formatValue(values.at(-1) ?? 0, unit)}`;
  });
  return `${title}, ${about}, from ${from} to ${to}. ${texts.join('; ')}. The table has all values.`;
}
