import type { ListPage } from './pages.ts';

/** Beginning of a page: the text that it is asked for by, and the index of its first row in the list. */
export type StartOfPage = { from: string; index: number };
/** Indexes of the first and the last row in sight. */
export type RowRange = { first: number; last: number };
/** `page`: undefined while it is read. */
export type ReadPage<Row> = { start: StartOfPage; page: ListPage<Row> | undefined };

/** Rows beyond those in sight whose pages are read ahead. */
const AHEAD = 60;

/** The beginnings of the pages that are in sight or near. */
export function startsNear(
  starts: readonly StartOfPage[],
  { first, last }: RowRange,
): readonly StartOfPage[] {
  const from = starts.findLastIndex(({ index }) => index <= Math.max(0, first - AHEAD));
  const to = starts.findLastIndex(({ index }) => index <= last + AHEAD);
  return starts.slice(Math.max(0, from), to + 1);
}

/**
 * The beginnings with those that the pages name; the list itself if it has them already. Behind a page whose end has moved, the others
 * are read anew.
 */
export function startsWith<Row>(
  starts: readonly StartOfPage[],
  pages: readonly ReadPage<Row>[],
): readonly StartOfPage[] {
  for (const { start, page } of pages) {
    if (!page) continue;
    const at = starts.indexOf(start);
    const known = starts[at + 1];
    const index = start.index + page.rows.length;
    if (known?.from === page.next && (known === undefined || known.index === index)) continue;
    const until = starts.slice(0, at + 1);
    return page.next === undefined ? until : [...until, { from: page.next, index }];
  }
  return starts;
}

/** How many rows are known: those before the last page, and its own once it is read. */
export function knownRows<Row>(starts: readonly StartOfPage[], pages: readonly ReadPage<Row>[]): number {
  const last = starts.at(-1);
  const { page } = pages.find(({ start }) => start === last) ?? {};
  return (last?.index ?? 0) + (page?.rows.length ?? 0);
}

/** A row by its index in the list; undefined unless its page is at hand. */
export function rowAt<Row>(pages: readonly ReadPage<Row>[], index: number): Row | undefined {
  const holder = pages.findLast(({ start }) => start.index <= index);
  return holder?.page?.rows[index - holder.start.index];
}
