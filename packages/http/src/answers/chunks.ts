import { isTooLarge } from '@parley/kit/rpc/byte-budget';

/** Rendered items of a list; `next` reads those that follow on the same page. */
export type Chunk = {
  items: readonly unknown[];
  /** The number of items in the whole list; undefined: unknown. */
  total: number | undefined;
  next: (() => Promise<Chunk>) | undefined;
};

/** Asks a service for as much of a page as fits into a budget of bytes. */
export type ChunkRequest = { fromId: string; pageSize: number; byteBudget: number };

/** `hasMore`: the budget ended the chunk before the page was complete. */
export type FoundChunk<R> = { records: R[]; total?: number; hasMore: boolean };

export type PagedList<R> = {
  ask(wanted: ChunkRequest): Promise<FoundChunk<R>>;
  /** The id after which the next chunk begins. */
  idOf(record: R): string;
  render(records: R[]): unknown[];
};

/** Size of a chunk as services encode it; a single item may be larger. Bytes. */
export const CHUNK_BYTES = 512 * 1024;

type Page = { fromId: string; pageSize: number };

/**
 * Reads a page chunk by chunk. A service of an earlier release does not know budgets and refuses an answer that is too
 * large; it is asked for half as many items then.
 */
export async function readChunks<R>(list: PagedList<R>, page: Page): Promise<Chunk> {
  const { records, total, hasMore } = await askForLess(list, page);
  const { idOf, render } = list;
  const last = records.at(-1);
  const left = page.pageSize - records.length;
  if (!hasMore || left <= 0) return { items: render(records), total, next: undefined };
  // A chunk without items: all of its items have been deleted since the page began.
  const rest = { fromId: last === undefined ? page.fromId : idOf(last), pageSize: left };
  return { items: render(records), total, next: () => readChunks(list, rest) };
}

async function askForLess<R>(list: PagedList<R>, { fromId, pageSize }: Page): Promise<FoundChunk<R>> {
  try {
    return await list.ask({ fromId, pageSize, byteBudget: CHUNK_BYTES });
  } catch (error) {
    if (!isTooLarge(error) || pageSize === 1 || pageSize === Infinity) throw error;
  }
  const half = pageSize >> 1;
  const found = await askForLess(list, { fromId, pageSize: half });
  return { ...found, hasMore: found.hasMore || found.records.length === half };
}
