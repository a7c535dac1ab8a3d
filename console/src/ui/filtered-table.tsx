import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { hasText } from '../api/pages.ts';
import { DataTable, type Column } from './data-table.tsx';
import type { IconName } from './icons.tsx';
import { Empty } from './page.tsx';
import { SearchField } from './search-field.tsx';
import { useFilter } from './use-filter.ts';

/** A table of rows that are all at hand, below a filter of the texts that they have. */
export function FilteredTable<Row extends object>({
  label,
  rows,
  columns,
  idOf,
  filter: { name = 'q', hint, textsOf },
  icon,
  empty,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  /** `name`: the parameter of the address, its own for each table of a page. `hint`: what it looks at, such as “Filter by name”. */
  filter: { name?: string; hint: string; textsOf: (row: Row) => readonly string[] };
  icon: IconName;
  /** Shown without any row. */
  empty: ReactNode;
}) {
  const [text, change] = useFilter(name);
  if (rows.length === 0) return <DataTable {...{ label, rows, columns, idOf, empty }} />;
  const matching = text === '' ? rows : rows.filter((row) => hasText(textsOf(row), text));
  return (
    <Stack>
      <div className="bar">
        <SearchField label={hint} value={text} change={change} />
      </div>
      <DataTable
        {...{ label, columns, idOf }}
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
