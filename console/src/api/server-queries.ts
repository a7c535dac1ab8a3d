import { queryOptions } from '@tanstack/react-query';
import type { ServerClient } from '@parley/client/server';
import type { AppIds } from './app-ids.ts';
import { nextPageOf, PAGE_ROWS, startOf, type PageStart } from './next-page.ts';
import type { PagedList } from './pages.ts';
import { readServer, readServerList, type Operation } from './server.ts';

/** The key of what the server API of an application says; `names` tell one answer from the others. */
export function serverKey({ appUuid }: AppIds, ...names: readonly string[]) {
  return ['server', appUuid, ...names] as const;
}

/** A record of the server API, or a list without pages. */
export function serverQuery<Body>(app: AppIds, names: readonly string[], operation: Operation<Body>) {
  return queryOptions({
    queryKey: serverKey(app, ...names),
    queryFn: () => readServer(app, operation),
  });
}

/** Options of an operation that lists. */
export type PageOptions = PageStart & { pageSize: number; signal: AbortSignal };

/** A list of the server API that has pages. */
export function serverPages<Row extends { id: string }>(
  app: AppIds,
  names: readonly string[],
  list: (server: ServerClient, page: PageOptions) => Promise<Row[]>,
): PagedList<Row> {
  return {
    queryKey: serverKey(app, ...names),
    async read(from, signal) {
      const options = { ...startOf(from), pageSize: PAGE_ROWS, signal };
      const { body, count, link } = await readServerList(app, (server) => list(server, options));
      return { rows: body, next: nextPageOf(body, link), count };
    },
  };
}
