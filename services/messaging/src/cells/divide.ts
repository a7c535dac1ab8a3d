import type { Cells } from './index.ts';

/** Items of one cell, with their indexes among all items. */
export type Group<I> = { cell: number; indexes: number[]; items: I[] };

/** Groups items by the cells of their applications, each in its order. Rejects when the cell of one cannot be found. */
export async function groupByCell<I extends { appId: string }>(
  cells: Cells,
  items: readonly I[],
): Promise<Group<I>[]> {
  return groupBy(items, await Promise.all(items.map(({ appId }) => cells.of(appId))));
}

/** Groups items in this way, without those whose cell cannot be found. */
export async function groupKnown<I extends { appId: string }>(
  cells: Cells,
  items: readonly I[],
): Promise<Group<I>[]> {
  const found = await Promise.all(items.map(({ appId }) => cells.of(appId).catch(() => undefined)));
  return groupBy(items, found);
}

function groupBy<I>(items: readonly I[], found: readonly (number | undefined)[]): Group<I>[] {
  const groups = Map.groupBy(items.keys(), (index) => found[index]);
  return [...groups].flatMap(([cell, indexes]) =>
    cell === undefined ? [] : [{ cell, indexes, items: indexes.map((index) => items[index]!) }],
  );
}

/** Puts the answers to the items of groups into the order of all items. Undefined for an item without an answer. */
export function inOrder<I, O>(
  count: number,
  groups: readonly Group<I>[],
  answers: readonly (readonly O[])[],
): (O | undefined)[] {
  const ordered = new Array<O | undefined>(count).fill(undefined);
  for (const [at, { indexes }] of groups.entries())
    for (const [place, index] of indexes.entries()) ordered[index] = answers[at]?.[place];
  return ordered;
}

/** Merges sorted lists into one, without more than `limit` items. `compare`: as of `sort`. */
export function mergeSorted<T>(
  lists: readonly (readonly T[])[],
  compare: (one: T, other: T) => number,
  limit: number,
): T[] {
  return lists.flat().sort(compare).slice(0, limit);
}

/** Compares texts as Postgres compares ids and texts of the collation "C". */
export function byText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
