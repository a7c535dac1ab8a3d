/** Selects a page of a list. */
type PageOptions = { pageSize?: number; fromId?: string; cursor?: string };

/** A method that returns one page of a list. */
type ListPage<T> = (options: PageOptions) => Promise<T[]>;

/** Cursors of the next pages, by the body of the answer whose `Link` header contains them. */
const cursors = new WeakMap<object, string>();

/** Remembers the cursor of the page after an answer, if it has one. */
export function noteCursor(body: unknown, link: string | null): void {
  const [, query = ''] = /<[^<>?]*\?([^<>]*)>\s*;\s*rel="?next"?(?:[\s;,]|$)/.exec(link ?? '') ?? [];
  const cursor = new URLSearchParams(query).get('cursor');
  if (cursor && typeof body === 'object' && body !== null) cursors.set(body, cursor);
}

/**
 * All items of a list, page by page. Where items move while the pages are read, as conversations by last message do, each one that stays is
 * there once all the same.
 *
 * @param listPage Asks for the page behind an item.
 * @param options `pageSize`: how many items to ask for at a time, at most 100, which is the default.
 * @returns The items one by one; a failed request ends the iteration with its {@link ParleyError}.
 * @example
 * for await (const message of listAll((page) => server.listMessages(conversation.id, page))) archive(message);
 */
export async function* listAll<T extends { id: string } | string>(
  listPage: ListPage<T>,
  { pageSize = 100 }: { pageSize?: number } = {},
): AsyncGenerator<T, void, undefined> {
  let from: PageOptions = {};
  for (;;) {
    const page = await listPage({ pageSize, ...from });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    const cursor = cursors.get(page);
    // Once a page had a cursor, every page but the last has one.
    if (cursor === undefined && from.cursor !== undefined) return;
    from = { fromId: typeof last === 'string' ? last : last.id, ...(cursor !== undefined && { cursor }) };
  }
}
