import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Part, PartedList } from './pages.ts';

/** Where a part begins: what it is asked for by, and the place of its first row in the list. */
type Start = { from: string; index: number };
/** Places of the first and the last row in sight. */
type Range = { first: number; last: number };

export type PartedRows<Row> = {
  /** How many rows can be scrolled to: those of all parts that were read, which grow as one scrolls. */
  known: number;
  /** Of the whole list, where that is known. */
  total: number | undefined;
  /** Undefined while its part is read. */
  rowAt: (index: number) => Row | undefined;
  /** Says which rows are in sight: their parts are read, with what is near, and the others are forgotten. */
  show: (first: number, last: number) => void;
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
};

const FIRST: readonly Start[] = [{ from: '', index: 0 }];
const TOP: Range = { first: 0, last: 0 };
/** Rows beyond those in sight whose parts are read ahead. */
const AHEAD = 60;

/**
 * A list of any length. The beginnings of its parts are kept, and the rows of the parts near those in sight; so a part that is deep in
 * the list is read as fast as the first one, and the page keeps a few hundred rows. `refetchMs`: how often the first part is read again
 * while it is in sight.
 */
export function useParts<Row>(list: PartedList<Row>, refetchMs: number | false = false): PartedRows<Row> {
  const key = JSON.stringify(list.queryKey);
  const [place, setPlace] = useState({ key, starts: FIRST, range: TOP });
  // Another filter is another list, from its beginning.
  const { starts, range } = place.key === key ? place : { starts: FIRST, range: TOP };
  const shown = useMemo(() => startsIn(starts, range), [starts, range]);
  const queries = useQueries({
    queries: shown.map(({ from }) => partQuery(list, from, refetchMs)),
  });
  const parts = shown.map((start, at) => ({ start, part: queries[at]?.data }));
  const next = startsWith(starts, parts);
  useEffect(() => {
    if (next !== starts) setPlace({ key, starts: next, range });
  }, [next, starts, key, range]);
  const show = useCallback(
    (first: number, last: number) =>
      setPlace((old) => {
        const own = old.key === key ? old : { key, starts: FIRST, range: TOP };
        return own.range.first === first && own.range.last === last
          ? own
          : { ...own, range: { first, last } };
      }),
    [key],
  );
  const head = queries[0];
  return {
    known: knownRows(starts, parts),
    total: parts[0]?.part?.count,
    rowAt: (index) => {
      const holder = parts.findLast(({ start }) => start.index <= index);
      return holder?.part?.rows[index - holder.start.index];
    },
    show,
    isPending: starts.length === 1 && head?.isPending === true,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
}

/** Apart from the hook, whose results it would otherwise keep alive, part after part. */
function partQuery<Row>(list: PartedList<Row>, from: string, refetchMs: number | false) {
  return {
    queryKey: [...list.queryKey, 'from', from],
    queryFn: ({ signal }: { signal: AbortSignal }) => list.read(from, signal),
    gcTime: 0,
    refetchInterval: from === '' ? refetchMs : (false as const),
  };
}

type Read<Row> = { start: Start; part: Part<Row> | undefined };

function startsIn(starts: readonly Start[], { first, last }: Range): readonly Start[] {
  const from = starts.findLastIndex(({ index }) => index <= Math.max(0, first - AHEAD));
  const to = starts.findLastIndex(({ index }) => index <= last + AHEAD);
  return starts.slice(Math.max(0, from), to + 1);
}

/** The beginnings with those that the parts name; after a part whose end has moved, the others are read anew. */
function startsWith<Row>(starts: readonly Start[], parts: readonly Read<Row>[]): readonly Start[] {
  for (const { start, part } of parts) {
    if (!part) continue;
    const at = starts.indexOf(start);
    const known = starts[at + 1];
    const index = start.index + part.rows.length;
    if (known?.from === part.next && (known === undefined || known.index === index)) continue;
    const until = starts.slice(0, at + 1);
    return part.next === undefined ? until : [...until, { from: part.next, index }];
  }
  return starts;
}

function knownRows<Row>(starts: readonly Start[], parts: readonly Read<Row>[]): number {
  const last = starts.at(-1);
  const { part } = parts.find(({ start }) => start === last) ?? {};
  return (last?.index ?? 0) + (part?.rows.length ?? 0);
}
