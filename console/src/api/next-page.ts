/** Rows of a page of a list of the server API, which has no larger ones. */
export const PAGE_ROWS = 100;
/** Rows of a page of the administration API. A release before may answer with fewer, but not with fewer than 100. */
export const ADMIN_PAGE_ROWS = 500;

/** Options of an operation that lists: behind which row the page begins, and the cursor where rows move. */
export type PageStart = { fromId?: string; cursor?: string };

/** The row behind which the next page begins; undefined: this page was the last. */
export function lastIdOf(rows: readonly { id: string }[]): string | undefined {
  return rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.id;
}

/**
 * Beginning of the page behind some rows, as a text. Conversations by last message move, so their pages follow each other by a cursor,
 * which the platform gives in `Link`.
 */
export function nextPageOf(rows: readonly { id: string }[], link: string | null): string | undefined {
  const last = lastIdOf(rows);
  if (last === undefined) return undefined;
  const [, query = ''] = /<[^<>?]*\?([^<>]*)>/.exec(link ?? '') ?? [];
  const cursor = new URLSearchParams(query).get('cursor');
  return new URLSearchParams({ from_id: last, ...(cursor && { cursor }) }).toString();
}

/** The options for a page, by the text that `nextPageOf` made; an empty text is the beginning. */
export function startOf(text: string): PageStart {
  const parameters = new URLSearchParams(text);
  const [fromId, cursor] = [parameters.get('from_id'), parameters.get('cursor')];
  return { ...(fromId !== null && { fromId }), ...(cursor !== null && { cursor }) };
}
