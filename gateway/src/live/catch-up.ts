import type { Client } from '@connectrpc/connect';
import type {
  ChangeLogService,
  ListUserEventsResponse,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';

type Options = {
  logs: readonly Client<typeof ChangeLogService>[];
  appId: string;
  userId: string;
  since: number;
  /** Whether the next page may be fetched while one is being delivered; default: always. */
  readsAhead?: () => boolean;
};
export type OwedPage = { events: Event[]; complete: boolean };

const pageSize = 1000;

/**
 * What one user's sockets were owed since a time, a page at a time; of several services, one after the other. The next page
 * is fetched while one is being delivered, as far as `readsAhead` allows.
 */
export async function* owedEvents({
  logs,
  appId,
  userId,
  since,
  readsAhead,
}: Options): AsyncGenerator<OwedPage> {
  for (const log of logs) {
    const ask = (cursor: string): Promise<ListUserEventsResponse> => {
      const page = log.listUserEvents({ appId, userId, fromTimestamp: since, cursor, pageSize });
      // Thrown where it is awaited, if it still is.
      page.catch(() => undefined);
      return page;
    };
    for (let next: Promise<ListUserEventsResponse> | undefined = ask(''); next;) {
      const page: ListUserEventsResponse = await next;
      const isLast = page.cursor === '';
      const ahead = !isLast && (readsAhead?.() ?? true) ? ask(page.cursor) : undefined;
      yield { events: page.events, complete: page.complete };
      next = isLast ? undefined : (ahead ?? ask(page.cursor));
    }
  }
}
