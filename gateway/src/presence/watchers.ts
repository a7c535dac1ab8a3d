import { fromBinary } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { presenceChange } from '@parley/domain/json/change/identity';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/clock';
import {
  PresenceBatchSchema,
  type Presence,
  type PresenceService,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Connection } from '../connection/connection.ts';
import { frameBody, type FrameBody } from '../connection/frame.ts';
import { createFollowers } from './followers.ts';
import { createWatched, type Subscription } from './watched.ts';

/** Sockets that want to know where people are. */
export type PresenceWatchers = {
  /** Resolves once nothing that happens to these users is missed. Does nothing for a socket that is closed. */
  watch(connection: Connection, userIds: readonly string[]): Promise<void>;
  /** The same of everybody whom the socket's user follows, now and later; gives how many users were read for it. */
  watchFollowed(connection: Connection): Promise<number>;
  /** User ids that a socket watches, each once, as they are while they are read. */
  watchedBy(connection: Connection): Iterable<string>;
  left(connection: Connection): void;
  receive(payload: Uint8Array, appId: string): void;
  /** Whom these users follow may have changed. */
  followedListsChanged(appId: string, userIds: Iterable<string>): void;
  /** Tells what was missed while nothing was heard. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  presences: Client<typeof PresenceService>;
  relations: Client<typeof RelationService>;
  /** Of a client, without a user. */
  view: View;
  clock: Clock;
  /** Of the pairs of a subscription and a user, for each app. */
  maxPairsPerApp: number;
  /** Hears of a user's presence, as often as it is called, until `unlisten` is called as often. */
  listen(userId: string): Promise<void>;
  unlisten(userId: string): void;
  failed(error: unknown): void;
};

const MOST_IN_CALL = 1_000;

export function createPresenceWatchers(options: Options): PresenceWatchers {
  const { presences, relations, view, clock, failed, listen, unlisten } = options;
  const watched = createWatched({
    maxPairsPerApp: options.maxPairsPerApp,
    // Awaited by `ready`, which fails with it.
    listen: (userId) => void listen(userId).catch(() => undefined),
    unlisten,
  });
  const namedSubscriptions = new Map<Connection, Subscription>();
  const followers = createFollowers({ relations, watched, ready, pushChangesSince, clock, failed });

  /** Resolves once everything is heard of these users, who are watched. */
  async function ready(userIds: readonly string[]): Promise<void> {
    try {
      await Promise.all(userIds.map(listen));
    } finally {
      for (const userId of userIds) unlisten(userId);
    }
  }

  function pushIfNewer(appId: string, presence: Presence): void {
    const user = watched.find(appId, presence.userId);
    // Heard twice, or late.
    if (!user || presence.version <= user.version) return;
    user.version = presence.version;
    push(appId, presence, user.by);
  }

  function push(appId: string, presence: Presence, subscriptions: Iterable<Subscription>): void {
    const bodies = new Map<boolean, FrameBody>();
    const receivers = new Set<Connection>();
    for (const { sockets } of subscriptions) for (const socket of sockets) receivers.add(socket);
    for (const socket of receivers) {
      const isOwn = socket.caller.userId === presence.userId;
      if (presence.hidden && !isOwn) continue;
      const body = bodies.get(isOwn) ?? frameBody(presenceChange(viewOf(appId, isOwn, presence), presence));
      bodies.set(isOwn, body);
      socket.push('change', body);
    }
  }

  function viewOf(appId: string, isOwn: boolean, { userId }: Presence): View {
    return isOwn ? { ...view, appId, userId } : { ...view, appId };
  }

  async function* read(appId: string, userIds: readonly string[]): AsyncGenerator<Presence[]> {
    for (let at = 0; at < userIds.length; at += MOST_IN_CALL) {
      const some = userIds.slice(at, at + MOST_IN_CALL);
      yield (await presences.getPresences({ appId, userIds: some })).presences;
    }
  }

  async function pushChangesSince(
    subscription: Subscription,
    userIds: readonly string[],
    since: number,
  ): Promise<void> {
    const { appId } = subscription;
    for await (const page of read(appId, userIds)) {
      for (const presence of page) {
        if (presence.changedAt < since || !subscription.userIds.has(presence.userId)) continue;
        const user = watched.find(appId, presence.userId);
        if (user && presence.version > user.version) pushIfNewer(appId, presence);
        else push(appId, presence, [subscription]);
      }
    }
  }

  /** A page of each application in turn: neither a large one nor one that fails keeps another from being told. */
  async function pushAll(): Promise<void> {
    const failures: unknown[] = [];
    let apps = [...watched.apps()].map(([appId, users]) => ({
      appId,
      pages: read(appId, [...users.keys()]),
    }));
    while (apps.length > 0) {
      const unread: typeof apps = [];
      for (const app of apps) {
        try {
          const page = await app.pages.next();
          if (page.done) continue;
          for (const presence of page.value) pushIfNewer(app.appId, presence);
          unread.push(app);
        } catch (error) {
          failures.push(error);
        }
      }
      apps = unread;
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some presences could not be read');
  }

  return {
    async watch(connection, userIds) {
      // It may have closed while its request was looked at; nothing would remove it then.
      if (!connection.isOpen) return;
      const { appId } = connection.caller;
      const known = namedSubscriptions.get(connection);
      const subscription = known ?? { appId, sockets: new Set([connection]), userIds: new Set<string>() };
      const fresh = watched.add(subscription, userIds);
      namedSubscriptions.set(connection, subscription);
      try {
        await ready(fresh);
      } catch (error) {
        watched.remove(subscription, fresh);
        throw error;
      }
    },
    watchFollowed: (connection) => followers.watch(connection),
    *watchedBy(connection) {
      const ids = namedSubscriptions.get(connection)?.userIds;
      if (ids) yield* ids;
      for (const userId of followers.of(connection)?.userIds ?? []) if (!ids?.has(userId)) yield userId;
    },
    left(connection) {
      const subscription = namedSubscriptions.get(connection);
      if (subscription) watched.remove(subscription, [...subscription.userIds]);
      namedSubscriptions.delete(connection);
      followers.left(connection);
    },
    receive(payload, appId) {
      for (const presence of fromBinary(PresenceBatchSchema, payload).presences) pushIfNewer(appId, presence);
    },
    followedListsChanged: (appId, userIds) => followers.listsChanged(appId, userIds),
    async catchUp() {
      followers.allListsChanged();
      await pushAll();
    },
    stop: () => followers.stop(),
  };
}
