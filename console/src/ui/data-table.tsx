import { Box } from '@mantine/core';
import { tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, type CSSProperties, type ReactNode } from 'react';
import type { PagedRows } from '../api/use-pages.ts';
import { FailureNote } from './failure-note.tsx';
import { Loading } from './page.tsx';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** A track of a CSS grid, such as `120px` or `2fr`. */
  width: string;
  /** Left out where the window is narrow. */
  isWide?: boolean;
};

export type TableLook<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
};

/** Rows of which some are read. */
type Source<Row> = {
  /** How many can be scrolled to. */
  known: number;
  /** Rows of the whole list, where their number is known. */
  total: number | undefined;
  /** Undefined while it is read. */
  rowAt: (index: number) => Row | undefined;
  /** Called with the indexes of the first and the last row in sight. */
  show?: ((first: number, last: number) => void) | undefined;
};

const FEATURES = tableFeatures({});
const ROW_PX = 45;
/** How far one scrolls between two looks at which pages are in sight. */
const STEP_ROWS = 20;

type Tracks = CSSProperties & { '--wide': string; '--narrow': string };

/** A table of rows that are all at hand. */
export function DataTable<Row extends object>({
  rows,
  empty,
  ...look
}: TableLook<Row> & { rows: readonly Row[]; empty: ReactNode }) {
  const source = useMemo(
    () => ({ known: rows.length, total: rows.length, rowAt: (index: number) => rows[index] }),
    [rows],
  );
  if (rows.length === 0) return <Box className="table">{empty}</Box>;
  return <RowsInSight {...look} source={source} />;
}

/** A table of any length, which is read as it is scrolled. `what`: the rows, as in “Failed to load the users”. */
export function PagedTable<Row extends object>({
  pages,
  what,
  empty,
  ...look
}: TableLook<Row> & { pages: PagedRows<Row>; what: string; empty: ReactNode }) {
  const { known, isPending, error, refetch } = pages;
  const failure = error && (
    <FailureNote error={error} title={`Failed to load ${what}`} retry={() => void refetch()} />
  );
  if (isPending) return <Loading what={what} />;
  if (known === 0) return failure ?? <Box className="table">{empty}</Box>;
  return (
    <>
      {failure}
      <RowsInSight {...look} source={pages} />
    </>
  );
}

/** `start`: pixels from the top. */
type InSight<Row> = { index: number; start: number; row: Row };

/** Only the rows in sight, and a few around them, are in the document. */
function RowsInSight<Row extends object>({
  label,
  columns,
  idOf,
  source,
}: TableLook<Row> & { source: Source<Row> }) {
  const { scroller, rows, height, isBusy } = useRowsInSight(source);
  const definitions = useMemo(() => columns.map((column) => toDefinition(column)), [columns]);
  const getRowId = ({ row }: InSight<Row>) => idOf(row);
  const table = useTable({ features: FEATURES, columns: definitions, data: rows, getRowId });
  return (
    <Box className="table" ref={scroller} tabIndex={0} role="group" aria-label={label}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={(source.total ?? source.known) + 1}
        aria-busy={isBusy}
        style={tracksOf(columns)}
      >
        <TableHead columns={columns} />
        <div role="rowgroup" className="table-body" style={{ height }}>
          {table.getRowModel().rows.map(({ id, original }) => (
            <TableRow key={id} {...original} columns={columns} />
          ))}
        </div>
      </div>
    </Box>
  );
}

/** The rows in sight that are read. `height`: pixels of all rows. `isBusy`: some in sight are still read. */
function useRowsInSight<Row>({ known, rowAt, show }: Source<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: known,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const first = floored(items[0]?.index ?? 0);
  const last = floored(items.at(-1)?.index ?? 0) + STEP_ROWS;
  useEffect(() => show?.(first, last), [show, first, last]);
  const rows = useMemo(
    () =>
      items.flatMap(({ index, start }): InSight<Row>[] => {
        const row = rowAt(index);
        return row ? [{ index, start, row }] : [];
      }),
    [items, rowAt],
  );
  return { scroller, rows, height: virtualizer.getTotalSize(), isBusy: rows.length < items.length };
}

function floored(index: number): number {
  return index - (index % STEP_ROWS);
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

function TableRow<Row>({ row, columns, index, start }: InSight<Row> & { columns: readonly Column<Row>[] }) {
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
}: Column<Row>): ColumnDef<typeof FEATURES, InSight<Row>> {
  return { id, header, cell: ({ row }) => cell(row.original.row) };
}

function tracksOf(columns: readonly { width: string; isWide?: boolean }[]): Tracks {
  const join = (some: readonly { width: string }[]) =>
    some.map(({ width }) => (width.endsWith('fr') ? `minmax(0, ${width})` : width)).join(' ');
  return { '--wide': join(columns), '--narrow': join(columns.filter(({ isWide }) => !isWide)) };
}

function classOf(isWide = false): string {
  return isWide ? 'table-cell only-wide' : 'table-cell';
}
