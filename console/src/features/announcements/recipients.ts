/** Gives the recipients of the next announcement; undefined after the last ones. */
export type NextRecipients = () => Promise<string[] | undefined>;

/** Some users in their order, and whether there are others behind them. */
export type UserPage = { userIds: string[]; hasMore: boolean };

/** The largest number of recipients of one announcement. */
export const BATCH = 1_000;

/** The user ids in a text that has one in each line, each once. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/** Named recipients, batch by batch. */
export function batchesOf(userIds: readonly string[]): NextRecipients {
  let at = 0;
  return () => {
    const batch = userIds.slice(at, at + BATCH);
    at += BATCH;
    return Promise.resolve(batch.length > 0 ? batch : undefined);
  };
}

/** Recipients in a list that is read page by page. A page that could not be read is read again by the next call. */
export function batchesOfPages(readPage: (fromId: string) => Promise<UserPage>): NextRecipients {
  let from = '';
  let isDone = false;
  return async () => {
    const batch: string[] = [];
    let fromId = from;
    while (!isDone && batch.length < BATCH) {
      const { userIds, hasMore } = await readPage(fromId);
      batch.push(...userIds);
      fromId = userIds.at(-1) ?? fromId;
      isDone = userIds.length === 0 || !hasMore;
    }
    from = fromId;
    return batch.length > 0 ? batch : undefined;
  };
}
