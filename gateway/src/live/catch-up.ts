import type { Client } from '@connectrpc/connect';
import type { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';

type Options = {
  logs: readonly Client<typeof ChangeLogService>[];
  appId: string;
  userId: string;
  since: number;
};
export type OwedPage = { events: Event[]; complete: boolean };

const pageSize = 1000;

/**
 * What one user's sockets were owed since a time, a page at a time; of several services, one after the other. The next page
 * is on its way while one is told.
 */
export async function* owedEvents({ logs, appId, userId, since }: Options): AsyncGenerator<OwedPage> {
  for (const log of logs) {
    const ask = (cursor: string) => {
      const page = log.listUserEvents({ appId, userId, fromTimestamp: since, cursor, pageSize });
      // Thrown where it is awaited, if it still is.
      page.catch(() => undefined);
      return page;
    };
    for (let next: ReturnType<typeof ask> | undefined = ask(''); next;) {
      const page: Awaited<ReturnType<typeof ask>> = await next;
      next = page.cursor === '' ? undefined : ask(page.cursor);
      yield { events: page.events, complete: page.complete };
    }
  }
}
