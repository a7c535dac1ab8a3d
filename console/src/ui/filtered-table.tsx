import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { hasText } from '../api/has-text.ts';
import { DataTable, type TableLook } from './data-table.tsx';
import type { IconName } from './icons.tsx';
import { Empty } from './page.tsx';
import { SearchField } from './search-field.tsx';
import { useFilter } from './use-filter.ts';

/** A filter of the texts that rows have. */
export type RowFilter<Row> = {
  /** The parameter of the address, its own for each table of a page; `q` without one. */
  name?: string | undefined;
  /** Names what it looks at, such as “Filter by name”. */
  hint: string;
  textsOf: (row: Row) => readonly string[];
};

type Props<Row> = TableLook<Row> & {
  rows: readonly Row[];
  filter: RowFilter<Row>;
  icon: IconName;
  /** Shown without any row. */
  empty: ReactNode;
};

/** A table of rows that are all at hand, below a filter. */
export function FilteredTable<Row extends object>({ rows, filter, icon, empty, ...look }: Props<Row>) {
  const { name, hint, textsOf } = filter;
  const [text, change] = useFilter(name);
  if (rows.length === 0) return <DataTable {...look} rows={rows} empty={empty} />;
  const matching = text === '' ? rows : rows.filter((row) => hasText(textsOf(row), text));
  return (
    <Stack>
      <div className="bar">
        <SearchField label={hint} value={text} change={change} />
      </div>
      <DataTable
        {...look}
        rows={matching}
        empty={
          <Empty icon={icon} title="Nothing matches the filter">
            None of the {rows.length.toLocaleString('en')} rows has “{text}”. Change the filter.
          </Empty>
        }
      />
    </Stack>
  );
}
