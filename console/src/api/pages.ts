import type { AuditEntry } from '@parley/proto/parley/identity/v1/app_pb';
import type { ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ADMIN } from './admin.ts';
import { nextOf, nextPageOf, PART_ROWS } from './next-page.ts';
import { rest, type AppIds } from './rest.ts';

/** Of the administration API. A release before may answer with fewer, but not with fewer than 100. */
const ADMIN_PART_ROWS = 500;

/** Some rows of a list in their order. `next` is where the following part begins; undefined at the end of the list. */
export type Part<Row> = {
  rows: readonly Row[];
  next: string | undefined;
  /** How many rows the list has in all, where the platform says so. */
  count: number | undefined;
};

/** A list that is read in parts. */
export type PartedList<Row> = {
  /** Of its parts among all queries; what changes the list invalidates it. */
  queryKey: readonly unknown[];
  /** `from` is the `next` of the part before, and empty for the first part. */
  read(from: string, signal: AbortSignal): Promise<Part<Row>>;
};

/** Users whose id or name begins with a text, by user id. */
export function usersList(appUuid: string, query: string): PartedList<Identity> {
  return {
    queryKey: ['users', appUuid, query],
    async read(fromId, signal) {
      const request = { appUuid, query, pageSize: ADMIN_PART_ROWS, fromId };
      const { users, hasMore } = await ADMIN.searchUsers(request, { signal });
      const isLast = users.length < PART_ROWS && !hasMore;
      return { rows: users, next: isLast ? undefined : users.at(-1)?.userId, count: undefined };
    },
  };
}

/** The newest first; of all applications without an id, and of one object where its id is given. */
export function auditList(appUuid: string, objectId = ''): PartedList<AuditEntry> {
  return {
    queryKey: ['audit', appUuid, objectId],
    async read(fromId, signal) {
      const request = { appUuid, objectId, pageSize: ADMIN_PART_ROWS, fromId };
      const { entries } = await ADMIN.listAuditEntries(request, { signal });
      return { rows: entries, next: nextOf(entries), count: undefined };
    },
  };
}

/** Sessions of everyone at the console, the newest first. */
export function openSessionsList(): PartedList<ConsoleSession> {
  return {
    queryKey: ['open-console-sessions'],
    async read(fromId, signal) {
      const { sessions } = await ADMIN.listOpenConsoleSessions({ pageSize: PART_ROWS, fromId }, { signal });
      return { rows: sessions, next: nextOf(sessions), count: undefined };
    },
  };
}

/** A paged list of the server API. `path` may have parameters of its own. */
export function restList<Row extends { id: string }>(
  app: AppIds,
  path: string,
  isOfWebhooks = false,
): PartedList<Row> {
  return {
    queryKey: ['rest', app.appUuid, path],
    async read(from, signal) {
      const url = `${path}${path.includes('?') ? '&' : '?'}page_size=${PART_ROWS}`;
      const { data, count, link } = await rest<Row[]>(app, url + from, { isOfWebhooks, signal });
      return { rows: data, next: nextPageOf(data, link), count };
    },
  };
}

/**
 * The rows of a list that have a text, which the platform does not filter: parts are read until one has such a row, and the others
 * when they are scrolled to.
 */
export function filteredList<Row>(
  { queryKey, read }: PartedList<Row>,
  text: string,
  textsOf: (row: Row) => readonly string[],
): PartedList<Row> {
  if (text === '') return { queryKey, read };
  return {
    queryKey: [...queryKey, 'with', text],
    async read(from, signal) {
      let next: string | undefined = from;
      let rows: Row[] = [];
      while (next !== undefined && rows.length === 0) {
        const part: Part<Row> = await read(next, signal);
        rows = part.rows.filter((row) => hasText(textsOf(row), text));
        next = part.next;
      }
      return { rows, next, count: undefined };
    },
  };
}

/** Whether one of the texts has the filter's in it, in any case. */
export function hasText(texts: readonly string[], filter: string): boolean {
  return texts.some((one) => one.toLowerCase().includes(filter.toLowerCase()));
}
