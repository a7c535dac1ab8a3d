import { queryOptions } from '@tanstack/react-query';
import type { Push } from '@parley/contract/gen/records';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ADMIN } from '../../api/admin.ts';
import type { AppIds } from '../../api/app-ids.ts';
import { ADMIN_PAGE_ROWS, PAGE_ROWS } from '../../api/next-page.ts';
import type { PagedList } from '../../api/pages.ts';
import { usersKey } from '../../api/query-keys.ts';
import { serverPages, serverQuery } from '../../api/server-queries.ts';

/** Users whose id or name begins with a text, by user id. */
export function usersList(appUuid: string, query: string): PagedList<Identity> {
  return {
    queryKey: [...usersKey(appUuid), query],
    async read(fromId, signal) {
      const request = { appUuid, query, pageSize: ADMIN_PAGE_ROWS, fromId };
      const { users, hasMore } = await ADMIN.searchUsers(request, { signal });
      const isLast = users.length < PAGE_ROWS && !hasMore;
      return { rows: users, next: isLast ? undefined : users.at(-1)?.userId, count: undefined };
    },
  };
}

/** A user as servers see one. */
export function userQuery(app: AppIds, user: string) {
  return serverQuery(app, ['user', user], (server) => server.getUser(user));
}

export function identityQuery(app: AppIds, user: string) {
  return serverQuery(app, ['identity', user], (server) => server.getIdentity(user));
}

/** Conversations that are looked at for a restriction. */
const LOOKED_AT = 20;

/** The restriction of a user in the whole application, as the conversations that they read last show it. */
export function restrictionQuery(app: AppIds, user: string) {
  return serverQuery(app, ['user-restriction', user], async (server) => {
    const conversations = await server.as(user).listConversations({ pageSize: LOOKED_AT });
    const restriction = conversations
      .map((conversation) => conversation.restriction)
      .find((one) => one?.scope === 'app');
    return { restriction };
  });
}

export function badgeQuery(app: AppIds, user: string) {
  return serverQuery(app, ['badge', user], (server) => server.getBadge(user));
}

export function blocksQuery(app: AppIds, user: string) {
  return serverQuery(app, ['blocks', user], (server) => server.listBlocksOfUser(user));
}

/** One push for each device and message, the newest first. */
export function pushesList(app: AppIds, user: string): PagedList<Push> {
  return serverPages(app, ['pushes', user], (server, page) => server.listPushes(user, page));
}

export function sessionsQuery(appUuid: string, userId: string) {
  return queryOptions({
    queryKey: ['user-sessions', appUuid, userId],
    queryFn: async () => (await ADMIN.listUserSessions({ appUuid, userId })).sessions,
  });
}

/** The devices that have registered for pushes. */
export function devicesQuery(appUuid: string, userId: string) {
  return queryOptions({
    queryKey: ['user-devices', appUuid, userId],
    queryFn: async () => (await ADMIN.listUserDevices({ appUuid, userId })).devices,
  });
}
