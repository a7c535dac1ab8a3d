import { Text } from '@mantine/core';
import { useState, type PointerEvent } from 'react';
import { formatTime, formatValue, scaleEnd, valueAt, type Chart, type Step } from './charts.ts';

/** A line in the units of the picture, which is 100 by 100 and stretched to its place. */
type Line = { name: string; values: readonly number[] };

/** Lines of a chart over time. All numbers are in the table of the same section, which the picture's text names. */
export function LineChart({ chart, steps }: { chart: Chart; steps: readonly Step[] }) {
  const [pointed, setPointed] = useState<number>();
  const lines = chart.series.map((series): Line => ({
    name: series.name,
    values: steps.map((step) => valueAt(chart, series, step)),
  }));
  const end = scaleEnd(Math.max(0, ...lines.flatMap(({ values }) => values)));
  const shown = pointed !== undefined && pointed < steps.length ? pointed : steps.length - 1;
  function point({ currentTarget, clientX }: PointerEvent<HTMLElement>): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    setPointed(Math.round(share * (steps.length - 1)));
  }
  return (
    <figure className="chart">
      <figcaption>
        <Text component="h3" fw={600} size="sm">
          {chart.title}
        </Text>
        <Text size="xs" c="dimmed">
          {chart.about}
        </Text>
        <Legend chart={chart} lines={lines} at={shown} />
      </figcaption>
      <div className="chart-plot" onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        <Ticks end={end} unit={chart.unit} />
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={describe(chart, lines, steps)}
        >
          {[0, 50, 100].map((y) => (
            <line key={y} x1="0" x2="100" y1={y} y2={y} className="chart-grid" />
          ))}
          {lines.length === 1 && <path d={areaOf(lines[0]?.values ?? [], end)} className="chart-area" />}
          {lines.map(({ name, values }, index) => (
            <path key={name} d={pathOf(values, end)} className="chart-line" data-series={index} />
          ))}
          {pointed !== undefined && (
            <line x1={xOf(shown, steps)} x2={xOf(shown, steps)} y1="0" y2="100" className="chart-cursor" />
          )}
        </svg>
      </div>
      <Times steps={steps} pointed={pointed === undefined ? undefined : shown} />
    </figure>
  );
}

function Legend({ chart, lines, at }: { chart: Chart; lines: readonly Line[]; at: number }) {
  return (
    <ul className="chart-legend">
      {lines.map(({ name, values }, index) => (
        <li key={name} data-series={index}>
          <span className="chart-key" aria-hidden />
          {lines.length > 1 && `${name} `}
          <b className="figure">{formatValue(values[at] ?? 0, chart.unit)}</b>
        </li>
      ))}
    </ul>
  );
}

/** The values of the grid's lines, from the top. */
function Ticks({ end, unit }: { end: number; unit: Chart['unit'] }) {
  return (
    <div className="chart-ticks" aria-hidden>
      {[end, end / 2, 0].map((value) => (
        <span key={value}>{formatValue(value, unit)}</span>
      ))}
    </div>
  );
}

/** When the chart begins and ends, and the time under the pointer. */
function Times({ steps, pointed }: { steps: readonly Step[]; pointed: number | undefined }) {
  const timeAt = (index: number): string => formatTime(steps.at(index)?.figures.start ?? 0);
  return (
    <div className="chart-times" aria-hidden>
      <span>{timeAt(0)}</span>
      {pointed !== undefined && <b>{timeAt(pointed)}</b>}
      <span>{timeAt(-1)}</span>
    </div>
  );
}

function describe({ title, about, unit }: Chart, lines: readonly Line[], steps: readonly Step[]): string {
  const from = formatTime(steps.at(0)?.figures.start ?? 0);
  const to = formatTime(steps.at(-1)?.figures.start ?? 0);
  const parts = lines.map(({ name, values }) => {
    const most = formatValue(Math.max(0, ...values), unit);
    return `${name}: at most ${most}, at the end ${formatValue(values.at(-1) ?? 0, unit)}`;
  });
  return `${title}, ${about}, from ${from} to ${to}. ${parts.join('; ')}. The table has all values.`;
}

function xOf(index: number, { length }: { length: number }): number {
  return length < 2 ? 100 : (index / (length - 1)) * 100;
}

function pathOf(values: readonly number[], end: number): string {
  const points = values.map(
    (value, index) => `${xOf(index, values).toFixed(2)},${(100 - (value / end) * 100).toFixed(2)}`,
  );
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

function areaOf(values: readonly number[], end: number): string {
  return values.length === 0 ? '' : `${pathOf(values, end)}L100,100L0,100Z`;
}
