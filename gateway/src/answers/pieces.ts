import { isTooLarge } from '@parley/kit/rpc/byte-budget';

/** Some of the items of a list, ready to be rendered; `next` reads those that follow them on the same page. */
export type Piece = {
  items: readonly unknown[];
  /** Of the whole list; undefined: it is not told. */
  total: number | undefined;
  next: (() => Promise<Piece>) | undefined;
};

/** What a service is asked for: as much of a page as fits into a budget. */
export type PieceRequest = { fromId: string; pageSize: number; byteBudget: number };

/** What it gives; `hasMore`: the budget cut it short. */
export type FoundPiece<R> = { records: R[]; total?: number; hasMore: boolean };

export type PagedList<R> = {
  ask(wanted: PieceRequest): Promise<FoundPiece<R>>;
  /** What the page goes on after. */
  idOf(record: R): string;
  render(records: R[]): unknown[];
};

/** Of a piece, as the services encode it; one item may be larger. Bytes. */
export const PIECE_BYTES = 512 * 1024;

type Page = { fromId: string; pageSize: number };

/**
 * The page piece by piece. A service of an earlier release does not know budgets and refuses what is too large: it is asked
 * for half as many items.
 */
export async function readPieces<R>(list: PagedList<R>, page: Page): Promise<Piece> {
  const { records, total, hasMore } = await askForLess(list, page);
  const { idOf, render } = list;
  const last = records.at(-1);
  const left = page.pageSize - records.length;
  if (!hasMore || left <= 0) return { items: render(records), total, next: undefined };
  // Of a piece without items, everything was deleted since the page began.
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
