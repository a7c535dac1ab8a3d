import type { Connection } from './connection.ts';

/** The sockets of this gateway, by app and user. */
export type Hub = {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** Sockets of one user; undefined when there are none. */
  of(appId: string, userId: string): ReadonlySet<Connection> | undefined;
  /** User ids of an app that have sockets here; undefined when there are none. */
  usersOf(appId: string): ReadonlyMap<string, ReadonlySet<Connection>> | undefined;
  all(): Iterable<Connection>;
  readonly size: number;
};

export function createHub(): Hub {
  const apps = new Map<string, Map<string, Set<Connection>>>();
  const connections = new Set<Connection>();

  return {
    add(connection) {
      const { appId, userId } = connection.caller;
      const users = apps.get(appId) ?? new Map<string, Set<Connection>>();
      apps.set(appId, users);
      const sockets = users.get(userId) ?? new Set<Connection>();
      users.set(userId, sockets);
      sockets.add(connection);
      connections.add(connection);
    },
    remove(connection) {
      const { appId, userId } = connection.caller;
      const users = apps.get(appId);
      const sockets = users?.get(userId);
      connections.delete(connection);
      if (!users || !sockets?.delete(connection) || sockets.size > 0) return;
      users.delete(userId);
      if (users.size === 0) apps.delete(appId);
    },
    of: (appId, userId) => apps.get(appId)?.get(userId),
    usersOf: (appId) => apps.get(appId),
    all: () => connections,
    get size() {
      return connections.size;
    },
  };
}
