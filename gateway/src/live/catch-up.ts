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

/** What one user's sockets were owed since a time, a page at a time; of several services, one after the other. */
export async function* owedEvents({ logs, appId, userId, since }: Options): AsyncGenerator<OwedPage> {
  for (const log of logs) {
    let cursor = '';
    do {
      const page = await log.listUserEvents({ appId, userId, fromTimestamp: since, cursor, pageSize });
      yield { events: page.events, complete: page.complete };
      cursor = page.cursor;
    } while (cursor !== '');
  }
}
