import { fail } from '@parley/domain/problems';
import type { Connection } from '../connection/connection.ts';

/** Sockets that watch the same users. */
export type Subscription = {
  readonly appId: string;
  readonly sockets: Set<Connection>;
  /** The watched users; only `Watched` changes this. */
  readonly userIds: Set<string>;
};

export type WatchedUser = {
  readonly userId: string;
  /** Version of the presence pushed last; 0 before the first. */
  version: number;
  readonly by: Set<Subscription>;
};

/** The users whose presence the sockets of this gateway watch. */
export type Watched = {
  /** Returns the users that are new to the subscription. Problems: service_unavailable when the app watches too many users here. */
  add(subscription: Subscription, userIds: Iterable<string>): string[];
  remove(subscription: Subscription, userIds: Iterable<string>): void;
  find(appId: string, userId: string): WatchedUser | undefined;
  apps(): Iterable<[appId: string, users: ReadonlyMap<string, WatchedUser>]>;
};

type App = { users: Map<string, WatchedUser>; pairs: number };

type Options = {
  /** Most pairs of a subscription and a user per app. A pair takes 66 to 280 bytes, fewer where users are watched often. */
  maxPairsPerApp: number;
  /** Subscribes to a user's presence. Ends when `unlisten` has been called as often as `listen`. */
  listen(userId: string): void;
  unlisten(userId: string): void;
};

export function createWatched({ maxPairsPerApp, listen, unlisten }: Options): Watched {
  const apps = new Map<string, App>();

  function appOf(appId: string): App {
    let app = apps.get(appId);
    if (!app) apps.set(appId, (app = { users: new Map(), pairs: 0 }));
    return app;
  }

  return {
    add(subscription, userIds) {
      const fresh = [...new Set(userIds)].filter((userId) => !subscription.userIds.has(userId));
      if (fresh.length === 0) return fresh;
      const app = appOf(subscription.appId);
      if (app.pairs + fresh.length > maxPairsPerApp) {
        fail('service_unavailable', { message: 'This server watches the presence of too many users.' });
      }
      app.pairs += fresh.length;
      for (const userId of fresh) {
        let user = app.users.get(userId);
        if (!user) {
          app.users.set(userId, (user = { userId, version: 0, by: new Set() }));
          listen(userId);
        }
        user.by.add(subscription);
        subscription.userIds.add(userId);
      }
      return fresh;
    },
    remove(subscription, userIds) {
      const app = apps.get(subscription.appId);
      for (const userId of userIds) {
        const user = app?.users.get(userId);
        if (!app || !user || !subscription.userIds.delete(userId)) continue;
        app.pairs -= 1;
        user.by.delete(subscription);
        if (user.by.size > 0) continue;
        app.users.delete(userId);
        unlisten(userId);
      }
      if (app?.pairs === 0) apps.delete(subscription.appId);
    },
    find: (appId, userId) => apps.get(appId)?.users.get(userId),
    *apps() {
      for (const [appId, { users }] of apps) yield [appId, users];
    },
  };
}
