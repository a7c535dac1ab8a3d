import { queryOptions } from '@tanstack/react-query';
import type { ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import { ADMIN } from '../../api/admin.ts';
import { listSessions } from '../../api/console.ts';
import { lastIdOf, PAGE_ROWS } from '../../api/next-page.ts';
import type { PagedList } from '../../api/pages.ts';

/** The sessions of the person who is signed in. */
export const OWN_SESSIONS = queryOptions({ queryKey: ['console-sessions'], queryFn: listSessions });

/** Sessions of everyone at the console, the newest first. */
export const ALL_SESSIONS: PagedList<ConsoleSession> = {
  queryKey: ['open-console-sessions'],
  async read(fromId, signal) {
    const { sessions } = await ADMIN.listOpenConsoleSessions({ pageSize: PAGE_ROWS, fromId }, { signal });
    return { rows: sessions, next: lastIdOf(sessions), count: undefined };
  },
};
