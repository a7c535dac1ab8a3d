import { Box } from '@mantine/core';
import { tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, type CSSProperties, type ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** A track of a CSS grid, such as `120px` or `2fr`. */
  width: string;
  /** Left out where the window is narrow. */
  isWide?: boolean;
};

type Props<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  /** Of all rows, when more than are loaded. */
  total?: number | undefined;
  /** Loads the next page; absent when all are loaded. */
  more?: (() => void) | undefined;
  empty: ReactNode;
};

const FEATURES = tableFeatures({});
const ROW_PX = 45;
const ROWS_BEFORE_END = 20;

type Tracks = CSSProperties & { '--wide': string; '--narrow': string };

/** A table of any length: only the rows in sight are in the page, and the next ones are loaded as they come near. */
export function DataTable<Row extends object>({
  label,
  rows,
  columns,
  idOf,
  total,
  more,
  empty,
}: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columns.map(toDefinition), [columns]);
  const table = useTable({
    features: FEATURES,
    columns: definitions,
    data: useMemo(() => [...rows], [rows]),
    getRowId: idOf,
  });
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && lastIndex >= rows.length - ROWS_BEFORE_END) more();
  }, [more, lastIndex, rows.length]);
  if (rows.length === 0) return <Box className="table">{empty}</Box>;
  const tableRows = table.getRowModel().rows;
  return (
    <Box className="table" ref={scroller} tabIndex={0} role="group" aria-label={label}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        style={tracksOf(columns)}
      >
        <TableHead columns={columns} />
        <div role="rowgroup" className="table-body" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = tableRows[index];
            return row && <TableRow key={row.id} {...{ index, start, columns }} row={row.original} />;
          })}
        </div>
      </div>
    </Box>
  );
}

function TableHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-row" aria-rowindex={1}>
        {columns.map(({ id, header, isWide }) => (
          <div key={id} role="columnheader" className={classOf(isWide)}>
            {header}
          </div>
        ))}
      </div>
    </div>
  );
}

function TableRow<Row>({
  row,
  columns,
  index,
  start,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  index: number;
  /** Pixels from the top. */
  start: number;
}) {
  return (
    <div
      role="row"
      className="table-row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${start}px)` }}
    >
      {columns.map(({ id, cell, isWide }) => (
        <div key={id} role="cell" className={classOf(isWide)}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

function toDefinition<Row extends object>({
  id,
  header,
  cell,
}: Column<Row>): ColumnDef<typeof FEATURES, Row> {
  return { id, header, cell: ({ row }) => cell(row.original) };
}

function tracksOf(columns: readonly { width: string; isWide?: boolean }[]): Tracks {
  const join = (some: readonly { width: string }[]) =>
    some.map(({ width }) => (width.endsWith('fr') ? `minmax(0, ${width})` : width)).join(' ');
  return { '--wide': join(columns), '--narrow': join(columns.filter(({ isWide }) => !isWide)) };
}

function classOf(isWide = false): string {
  return isWide ? 'table-cell only-wide' : 'table-cell';
}
