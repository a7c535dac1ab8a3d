import { useMemo } from 'react';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Empty } from '../ui/page.tsx';
import { CHARTS, formatTime, formatValue, valueAt, type Step } from './charts.ts';

/** Series that a narrow window has room for. */
const NARROW = ['Messages', 'Open sockets'];

const TIME: Column<Step> = {
  id: 'time',
  header: 'Time',
  width: '64px',
  cell: ({ figures }) => formatTime(figures.start),
};

const COLUMNS: readonly Column<Step>[] = [
  TIME,
  ...CHARTS.flatMap((chart) =>
    chart.series.map((series): Column<Step> => {
      const { header = series.name } = series;
      return {
        id: header,
        header,
        width: 'minmax(0, 1fr)',
        isWide: !NARROW.includes(header),
        cell: (step) => formatValue(valueAt(chart, series, step), chart.unit),
      };
    }),
  ),
];

/** Numbers of the charts, the newest first. */
export function FiguresTable({ steps }: { steps: readonly Step[] }) {
  const rows = useMemo(() => [...steps].reverse(), [steps]);
  return (
    <div className="figures-table">
      <DataTable
        label="Figures"
        rows={rows}
        columns={COLUMNS}
        idOf={({ figures }) => String(figures.start)}
        empty={<Empty icon="overview" title="Nothing was counted" />}
      />
    </div>
  );
}
