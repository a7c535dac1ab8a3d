/** A method that returns one page of a list. */
type ListPage<T> = (options: { pageSize?: number; fromId?: string }) => Promise<T[]>;

/**
 * All items of a list, page by page.
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
  let fromId: string | undefined;
  for (;;) {
    const page = await listPage({ pageSize, ...(fromId === undefined ? {} : { fromId }) });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    fromId = typeof last === 'string' ? last : last.id;
  }
}
