import { hasText } from './has-text.ts';

/** Some rows of a list in their order. */
export type ListPage<Row> = {
  rows: readonly Row[];
  /** Beginning of the following page, as its list writes it; undefined at the end of the list. */
  next: string | undefined;
  /** How many rows the list has in all, where the platform says so. */
  count: number | undefined;
};

/** A list that is read page by page. */
export type PagedList<Row> = {
  /** Key of its pages among all queries; what changes the list invalidates it. */
  queryKey: readonly unknown[];
  /** `from` is the `next` of the page before, and empty for the first page. */
  read(from: string, signal: AbortSignal): Promise<ListPage<Row>>;
};

/**
 * The rows of a list that have a text, which the platform does not filter: pages are read until one has such a row, and the others
 * when they are scrolled to.
 */
export function filteredList<Row>(
  { queryKey, read }: PagedList<Row>,
  text: string,
  textsOf: (row: Row) => readonly string[],
): PagedList<Row> {
  if (text === '') return { queryKey, read };
  return {
    queryKey: [...queryKey, 'with', text],
    async read(from, signal) {
      let next: string | undefined = from;
      let rows: Row[] = [];
      while (next !== undefined && rows.length === 0) {
        const page: ListPage<Row> = await read(next, signal);
        rows = page.rows.filter((row) => hasText(textsOf(row), text));
        next = page.next;
      }
      return { rows, next, count: undefined };
    },
  };
}
