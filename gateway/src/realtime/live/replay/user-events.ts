import type { Client } from '@connectrpc/connect';
import type {
  ChangeLogService,
  ListUserEventsResponse,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { CLOCK_SKEW_MS } from '@parley/domain/events/log-age';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/** A time by the log's clock in milliseconds, or a function that computes the request's fields when it is sent. */
export type Since = number | (() => RequestedSince);
type RequestedSince = { fromTimestamp: number; fromMsAgo?: number };

type Options = {
  logs: readonly Client<typeof ChangeLogService>[];
  appId: string;
  userId: string;
  since: Since;
  /** Whether the next page may be fetched while one is being delivered; default: always. */
  readsAhead?: () => boolean;
};
export type UserEventsPage = { events: Event[]; complete: boolean };

const PAGE_SIZE = 1000;
/** Deadline of a call, and thus the greatest delay between computing an age here and subtracting it in the service. Milliseconds. */
export const CALL_TIMEOUT_MS = 5_000;

/**
 * The events for one user since a time, page by page, from the logs of several services, one after the other. The next page
 * is fetched while one is being delivered, if `readsAhead` allows.
 */
export async function* readUserEvents({
  logs,
  appId,
  userId,
  since,
  readsAhead,
}: Options): AsyncGenerator<UserEventsPage> {
  for (const log of logs) {
    function ask(cursor: string): Promise<ListUserEventsResponse> {
      const asked = typeof since === 'number' ? { fromTimestamp: since } : since();
      const page = log.listUserEvents(
        { appId, userId, cursor, pageSize: PAGE_SIZE, ...asked },
        { timeoutMs: CALL_TIMEOUT_MS },
      );
      // The error is thrown where the page is awaited, if it still is.
      page.catch(() => undefined);
      return page;
    }
    for (let next: Promise<ListUserEventsResponse> | undefined = ask(''); next;) {
      const page: ListUserEventsResponse = await next;
      const isLast = page.cursor === '';
      const ahead = !isLast && (readsAhead?.() ?? true) ? ask(page.cursor) : undefined;
      yield { events: page.events, complete: page.complete };
      next = isLast ? undefined : (ahead ?? ask(page.cursor));
    }
  }
}

/**
 * Asks for everything since `moment`, a time of `performance.now()`. The request carries an age, which the service subtracts
 * from its own clock, since the clock of this host may differ; a service of an older release ignores the age. `now` is in milliseconds since the epoch.
 */
export function sinceMoment(moment: number, now: () => number) {
  return (): RequestedSince => {
    const fromMsAgo = performance.now() - moment + CALL_TIMEOUT_MS;
    return { fromMsAgo, fromTimestamp: now() - fromMsAgo - CLOCK_SKEW_MS };
  };
}
