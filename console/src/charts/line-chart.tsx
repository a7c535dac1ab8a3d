import { Text } from '@mantine/core';
import { useState, type PointerEvent, type ReactNode } from 'react';
import { formatTime, formatValue, scaleEnd, type Chart, type Step } from './charts.ts';
import { areaOf, describeChart, linesOf, pathOf, xOf, type Line } from './line.ts';

/** Lines of a chart over time. All numbers are in the table of the same section, which the picture's text names. */
export function LineChart({ chart, steps }: { chart: Chart; steps: readonly Step[] }) {
  const { pointed, ...pointer } = usePointer(steps.length);
  const lines = linesOf(chart, steps);
  const end = scaleEnd(Math.max(0, ...lines.flatMap(({ values }) => values)));
  return (
    <figure className="chart">
      <figcaption>
        <Text component="h3" fw={600} size="sm">
          {chart.title}
        </Text>
        <Text size="xs" c="dimmed">
          {chart.about}
        </Text>
        <Legend chart={chart} lines={lines} at={pointed ?? steps.length - 1} />
      </figcaption>
      <div className="chart-plot" {...pointer}>
        <Ticks end={end} unit={chart.unit} />
        <Picture {...{ lines, end }} text={describeChart(chart, lines, steps)}>
          {pointed !== undefined && <Cursor x={xOf(pointed, steps.length)} />}
        </Picture>
      </div>
      <Times steps={steps} pointed={pointed} />
    </figure>
  );
}

/** Which of some steps the pointer is at, and the listeners that follow it. */
function usePointer(count: number) {
  const [pointed, setPointed] = useState<number>();
  function onPointerMove({ currentTarget, clientX }: PointerEvent<HTMLElement>): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    setPointed(Math.round(share * (count - 1)));
  }
  return {
    // Steps may have gone since the pointer moved.
    pointed: pointed === undefined ? undefined : Math.min(pointed, count - 1),
    onPointerMove,
    onPointerLeave: () => setPointed(undefined),
  };
}

type PictureProps = { lines: readonly Line[]; end: number; text: string; children: ReactNode };

function Picture({ lines, end, text, children }: PictureProps) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={text}>
      {[0, 50, 100].map((y) => (
        <line key={y} x1="0" x2="100" y1={y} y2={y} className="chart-grid" />
      ))}
      {lines.length === 1 && <path d={areaOf(lines[0]?.values ?? [], end)} className="chart-area" />}
      {lines.map(({ name, values }, index) => (
        <path key={name} d={pathOf(values, end)} className="chart-line" data-series={index} />
      ))}
      {children}
    </svg>
  );
}

function Cursor({ x }: { x: number }) {
  return <line x1={x} x2={x} y1="0" y2="100" className="chart-cursor" />;
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
