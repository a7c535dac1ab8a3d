import { isTooLarge } from '@parley/kit/rpc/byte-budget';

/** Rendered items of a list; `next` reads those that follow on the same page. */
export type Piece = {
  items: readonly unknown[];
  /** The number of items in the whole list; undefined: unknown. */
  total: number | undefined;
  next: (() => Promise<Piece>) | undefined;
};

/** Asks a service for as much of a page as fits into a budget of bytes. */
export type PieceRequest = { fromId: string; pageSize: number; byteBudget: number };

/** `hasMore`: the budget ended the piece before the page was complete. */
export type FoundPiece<R> = { records: R[]; total?: number; hasMore: boolean };

export type PagedList<R> = {
  ask(wanted: PieceRequest): Promise<FoundPiece<R>>;
  /** The id after which the next piece begins. */
  idOf(record: R): string;
  render(records: R[]): unknown[];
};

/** Size of a piece as services encode it; a single item may be larger. Bytes. */
export const PIECE_BYTES = 512 * 1024;

type Page = { fromId: string; pageSize: number };

/**
 * Reads a page piece by piece. A service of an earlier release does not know budgets and refuses an answer that is too
 * large; it is asked for half as many items then.
 */
export async function readPieces<R>(list: PagedList<R>, page: Page): Promise<Piece> {
  const { records, total, hasMore } = await askForLess(list, page);
  const { idOf, render } = list;
  const last = records.at(-1);
  const left = page.pageSize - records.length;
  if (!hasMore || left <= 0) return { items: render(records), total, next: undefined };
  // A piece without items: all of its items have been deleted since the page began.
  const rest = { fromId: last === undefined ? page.fromId : idOf(last), pageSize: left };
  return { items: render(records), total, next: () => readPieces(list, rest) };
}

async function askForLess<R>(list: PagedList<R>, { fromId, pageSize }: Page): Promise<FoundPiece<R>> {
  try {
    return await list.ask({ fromId, pageSize, byteBudget: PIECE_BYTES });
  } catch (error) {
    if (!isTooLarge(error) || pageSize === 1 || pageSize === Infinity) throw error;
  }
  const half = pageSize >> 1;
  const found = await askForLess(list, { fromId, pageSize: half });
  return { ...found, hasMore: found.hasMore || found.records.length === half };
}
