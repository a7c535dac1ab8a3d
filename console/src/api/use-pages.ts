import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { knownRows, rowAt, startsNear, startsWith, type RowRange, type StartOfPage } from './page-rows.ts';
import type { PagedList } from './pages.ts';

export type PagedRows<Row> = {
  /** How many rows can be scrolled to: those of all pages that were read, which grow as one scrolls. */
  known: number;
  /** Rows of the whole list, where their number is known. */
  total: number | undefined;
  /** Undefined while its page is read. */
  rowAt: (index: number) => Row | undefined;
  /** Says which rows are in sight: their pages are read, with what is near, and the others are forgotten. */
  show: (first: number, last: number) => void;
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
};

const FIRST: readonly StartOfPage[] = [{ from: '', index: 0 }];
const TOP: RowRange = { first: 0, last: 0 };

/**
 * A list of any length. The beginnings of its pages are kept, and the rows of the pages near those in sight; so a page that is deep in
 * the list is read as fast as the first one, and the browser keeps a few hundred rows. `refetchMs`: how often the first page is read
 * again while it is in sight.
 */
export function usePages<Row>(list: PagedList<Row>, refetchMs: number | false = false): PagedRows<Row> {
  const { starts, range, learn, show } = usePosition(JSON.stringify(list.queryKey));
  const near = useMemo(() => startsNear(starts, range), [starts, range]);
  const queries = useQueries({ queries: near.map(({ from }) => pageQuery(list, from, refetchMs)) });
  const pages = near.map((start, at) => ({ start, page: queries[at]?.data }));
  const next = startsWith(starts, pages);
  useEffect(() => {
    if (next !== starts) learn(next);
  }, [next, starts, learn]);
  return {
    known: knownRows(starts, pages),
    total: pages[0]?.page?.count,
    rowAt: (index) => rowAt(pages, index),
    show,
    isPending: starts.length === 1 && queries[0]?.isPending === true,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
}

/** Position in the list with this key. Another filter is another list, from its beginning. */
function usePosition(key: string) {
  const [kept, setKept] = useState({ key, starts: FIRST, range: TOP });
  const { starts, range } = kept.key === key ? kept : { starts: FIRST, range: TOP };
  const learn = useCallback(
    (next: readonly StartOfPage[]) => setKept({ key, starts: next, range }),
    [key, range],
  );
  const show = useCallback(
    (first: number, last: number) =>
      setKept((old) => {
        const own = old.key === key ? old : { key, starts: FIRST, range: TOP };
        return own.range.first === first && own.range.last === last
          ? own
          : { ...own, range: { first, last } };
      }),
    [key],
  );
  return { starts, range, learn, show };
}

/** Apart from the hook, whose results it would otherwise keep alive, page after page. */
function pageQuery<Row>(list: PagedList<Row>, from: string, refetchMs: number | false) {
  return {
    queryKey: [...list.queryKey, 'from', from],
    queryFn: ({ signal }: { signal: AbortSignal }) => list.read(from, signal),
    gcTime: 0,
    refetchInterval: from === '' ? refetchMs : (false as const),
  };
}
