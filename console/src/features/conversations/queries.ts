import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Conversation } from '@parley/contract/gen/records';
import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { lastIdOf, PAGE_ROWS } from '../../api/next-page.ts';
import type { PagedList } from '../../api/pages.ts';
import { userName } from '../../api/path.ts';
import { readServer } from '../../api/server.ts';
import { serverKey, serverPages, serverQuery } from '../../api/server-queries.ts';

/** Conversations of an application, the newest first; those that a user sees, the last active ones first. */
export function conversationsList(app: AppIds, userId: string): PagedList<Conversation> {
  if (!userId) return serverPages(app, ['conversations'], (server, page) => server.listConversations(page));
  // A user id that is being written may be `..` for a moment.
  const name = userName(userId, wireNameOf(app));
  return serverPages(app, ['conversations-of', name], (server, page) =>
    server.as(name).listConversations({ ...page, sortBy: 'last_message' }),
  );
}

export function conversationQuery(app: AppIds, id: string) {
  return serverQuery(app, ['conversation', id], (server) => server.getConversation(id));
}

/** Mutes and bans of a conversation, the newest first: at most 100. */
export function restrictionsQuery(app: AppIds, id: string) {
  return serverQuery(app, ['restrictions', id], (server) => server.listRestrictions(id));
}

/** Scheduled messages of a conversation. */
export function scheduledQuery(app: AppIds, id: string) {
  return serverQuery(app, ['scheduled-messages', id], (server) => server.listScheduledMessages(id));
}

/** Messages of a conversation, the newest first. */
export function messagesQuery(app: AppIds, id: string) {
  return infiniteQueryOptions({
    queryKey: serverKey(app, 'messages', id),
    queryFn: ({ pageParam }) => {
      const page = { pageSize: PAGE_ROWS, ...(pageParam && { fromId: pageParam }) };
      return readServer(app, (server) => server.listMessages(id, page));
    },
    initialPageParam: '',
    getNextPageParam: (page) => lastIdOf(page),
  });
}
