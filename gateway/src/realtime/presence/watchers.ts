import { fromBinary } from '@parley/codec';
import type { Client } from '@connectrpc/connect';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/runtime/clock';
import {
  PresenceBatchSchema,
  type Presence,
  type PresenceService,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Connection } from '../connection/connection.ts';
import { createFollowers, type Followers } from './followers.ts';
import { createPushPresence, type PushPresence } from './push-presence.ts';
import { createWatched, type Subscription, type Watched } from './watched.ts';

/** Pushes the presence of users to the sockets that watch them. */
export type PresenceWatchers = {
  /** Resolves once the subscription is active: no later change of these users is missed. Does nothing for a closed socket. */
  watch(connection: Connection, userIds: readonly string[]): Promise<void>;
  /** Like `watch`, for all whom the socket's user follows, even as the list changes; resolves with the number of users read. */
  watchFollowed(connection: Connection): Promise<number>;
  /** The ids of the users whom a socket watches, each once; changes made while iterating are reflected. */
  watchedBy(connection: Connection): Iterable<string>;
  left(connection: Connection): void;
  receive(payload: Uint8Array, appId: string): void;
  /** The followed lists of these users may have changed. */
  followedListsChanged(appId: string, userIds: Iterable<string>): void;
  /** Pushes the changes that were missed while the broker was unreachable. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  presences: Client<typeof PresenceService>;
  relations: Client<typeof RelationService>;
  /** The form of records that is the same for all users. */
  view: View;
  clock: Clock;
  /** Most pairs of a subscription and a user per app. */
  maxPairsPerApp: number;
  /** Subscribes to a user's presence. Ends when `unlisten` has been called as often as `listen`. */
  listen(userId: string): Promise<void>;
  unlisten(userId: string): void;
  failed(error: unknown): void;
};

type Presences = Client<typeof PresenceService>;
/** Resolves once the subscription of these watched users is active. */
type Ready = (userIds: readonly string[]) => Promise<void>;

const MAX_IN_CALL = 1_000;

export function createPresenceWatchers(options: Options): PresenceWatchers {
  const { presences, relations, view, clock, listen, unlisten, failed } = options;
  const watched = createWatched({
    maxPairsPerApp: options.maxPairsPerApp,
    // `ready`, which listens to the same user, reports a failure.
    listen: (userId) => void listen(userId).catch(() => undefined),
    unlisten,
  });
  const push = createPushPresence({ presences, watched, view });
  const ready = createReady(options);
  const named = createNamedWatch(watched, ready);
  const followers = createFollowers({
    relations,
    clock,
    watched,
    ready,
    failed,
    pushChangesSince: (subscription, userIds, since) =>
      pushChangesSince({ presences, push }, subscription, { userIds, since }),
  });
  return {
    watch: named.watch,
    watchFollowed: (connection) => followers.watch(connection),
    watchedBy: (connection) => watchedBy(connection, named, followers),
    left(connection) {
      named.left(connection);
      followers.left(connection);
    },
    receive(payload, appId) {
      for (const presence of fromBinary(PresenceBatchSchema, payload).presences)
        void push.ifNewer(appId, presence)?.catch(failed);
    },
    followedListsChanged: (appId, userIds) => followers.listsChanged(appId, userIds),
    async catchUp() {
      followers.allListsChanged();
      await pushAll({ presences, push }, watched);
    },
    stop: () => followers.stop(),
  };
}

function createReady({ listen, unlisten }: Options): Ready {
  return async (userIds) => {
    try {
      await Promise.all(userIds.map(listen));
    } finally {
      for (const userId of userIds) unlisten(userId);
    }
  };
}

type NamedWatch = Pick<PresenceWatchers, 'watch' | 'left'> & {
  of(connection: Connection): ReadonlySet<string> | undefined;
};

/** Watches the users that sockets name. */
function createNamedWatch(watched: Watched, ready: Ready): NamedWatch {
  const subscriptions = new Map<Connection, Subscription>();
  return {
    async watch(connection, userIds) {
      // A socket that closed during its request would never be removed.
      if (!connection.isOpen) return;
      const { appId } = connection.caller;
      const known = subscriptions.get(connection);
      const subscription = known ?? { appId, sockets: new Set([connection]), userIds: new Set<string>() };
      const added = watched.add(subscription, userIds);
      subscriptions.set(connection, subscription);
      try {
        await ready(added);
      } catch (error) {
        watched.remove(subscription, added);
        throw error;
      }
    },
    left(connection) {
      const subscription = subscriptions.get(connection);
      if (subscription) watched.remove(subscription, [...subscription.userIds]);
      subscriptions.delete(connection);
    },
    of: (connection) => subscriptions.get(connection)?.userIds,
  };
}

function* watchedBy(connection: Connection, named: NamedWatch, followers: Followers): Generator<string> {
  const byName = named.of(connection);
  if (byName) yield* byName;
  for (const userId of followers.of(connection)?.userIds ?? []) if (!byName?.has(userId)) yield userId;
}

type Push = { presences: Presences; push: PushPresence };

async function* readPresences(
  presences: Presences,
  appId: string,
  { userIds, viewer }: { userIds: readonly string[]; viewer: string },
): AsyncGenerator<Presence[]> {
  for (let at = 0; at < userIds.length; at += MAX_IN_CALL) {
    const page = userIds.slice(at, at + MAX_IN_CALL);
    yield (await presences.getPresences({ appId, userIds: page, viewerUserId: viewer })).presences;
  }
}

async function pushChangesSince(
  { presences, push }: Push,
  subscription: Subscription & { userId: string },
  { userIds, since }: { userIds: readonly string[]; since: number },
): Promise<void> {
  for await (const page of readPresences(presences, subscription.appId, {
    userIds,
    viewer: subscription.userId,
  })) {
    for (const presence of page) {
      if (presence.changedAt < since || !subscription.userIds.has(presence.userId)) continue;
      await push.toSubscription(subscription, presence);
    }
  }
}

/**
 * Reads and pushes one page per application in turn: neither a large application nor a failing page delays another. Presences are pushed
 * one after the other, so that at most one call asks who may see one.
 */
async function pushAll({ presences, push }: Push, watched: Watched): Promise<void> {
  const failures: unknown[] = [];
  let apps = [...watched.apps()].map(([appId, users]) => ({
    appId,
    pages: readPresences(presences, appId, { userIds: [...users.keys()], viewer: '' }),
  }));
  while (apps.length > 0) {
    const unread: typeof apps = [];
    for (const app of apps) {
      try {
        const page = await app.pages.next();
        if (page.done) continue;
        for (const presence of page.value) await push.ifNewer(app.appId, presence);
        unread.push(app);
      } catch (error) {
        failures.push(error);
      }
    }
    apps = unread;
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some presences could not be read');
}
