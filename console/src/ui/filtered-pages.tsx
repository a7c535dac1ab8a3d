import type { ReactNode } from 'react';
import { filteredList, type PagedList } from '../api/pages.ts';
import { usePages } from '../api/use-pages.ts';
import { PagedTable, type TableLook } from './data-table.tsx';
import type { RowFilter } from './filtered-table.tsx';
import type { IconName } from './icons.tsx';
import { Empty } from './page.tsx';
import { SearchField } from './search-field.tsx';
import { useFilter } from './use-filter.ts';

type Props<Row> = TableLook<Row> & {
  /** Names the rows, as in “Failed to load the pushes”. */
  what: string;
  list: PagedList<Row>;
  filter: RowFilter<Row>;
  /** How often the first page is read again. */
  refetchMs?: number;
  /** Other inputs that select rows, before the filter. */
  bar?: ReactNode;
  /** Shown without any row that has the text. */
  empty: (text: string) => ReactNode;
};

/** A table of any length, below a filter that the platform does not know. */
export function FilteredPages<Row extends object>({
  list,
  filter: { name, hint, textsOf },
  refetchMs,
  bar,
  empty,
  ...table
}: Props<Row>) {
  const [text, change] = useFilter(name);
  const pages = usePages(filteredList(list, text, textsOf), refetchMs);
  return (
    <>
      <div className="bar">
        {bar}
        <SearchField label={hint} value={text} change={change} />
      </div>
      <PagedTable {...table} pages={pages} empty={empty(text)} />
    </>
  );
}

/** Says that no row has the text, such as “No push matches”. */
export function NoMatch({ icon, title }: { icon: IconName; title: string }) {
  return (
    <Empty icon={icon} title={title}>
      Change the filter.
    </Empty>
  );
}
