import type { Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/runtime/clock';
import type { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Connection } from '../connection/connection.ts';
import { listFollowed } from './followed.ts';
import { createReadQueue, type ReadQueue } from './read-queue.ts';
import type { Subscription, Watched } from './watched.ts';

/** Sockets that get the presence of everyone whom their user follows, even as the followed list changes. */
export type Followers = {
  /** Resolves once the present list is watched, with the number of users read. Does nothing for a closed socket. */
  watch(connection: Connection): Promise<number>;
  of(connection: Connection): Subscription | undefined;
  left(connection: Connection): void;
  /** Called when the lists of these users may have changed. */
  listsChanged(appId: string, userIds: Iterable<string>): void;
  /** Called when any list may have changed while the broker was unreachable. */
  allListsChanged(): void;
  stop(): Promise<void>;
};

type Options = {
  relations: Client<typeof RelationService>;
  watched: Watched;
  /** Resolves once the subscription of these users is active. */
  ready(userIds: readonly string[]): Promise<void>;
  /** Pushes to a subscription the presence changes of users since a time before they were watched. */
  pushChangesSince(
    subscription: Subscription & { userId: string },
    userIds: readonly string[],
    since: number,
  ): Promise<void>;
  clock: Clock;
  failed(error: unknown): void;
};

/** The subscription shared by all sockets of one user. */
type Follower = Subscription & {
  readonly userId: string;
  /** Stamp of the watched list; empty before the first. */
  stamp: string;
  /** Resolves when the reading under way has finished. */
  reading: Promise<void>;
  /** Earliest possible time of a list change that has not been read. Milliseconds since the epoch. */
  changedAt: number | undefined;
  cancelTimer: (() => void) | undefined;
  /** Watched users whose presence changes since the list change have not been pushed yet. */
  readonly unsent: Set<string>;
};

type Lists = Options & { followers: Map<string, Follower>; changed: ReadQueue<Follower> };

/** Changes of one list within this time are read together. Milliseconds. */
const GATHER_MS = 250;
const RETRY_MS = 5_000;
/** A change arrives at most this long after it happened: it is published twice, and host clocks differ. Milliseconds. */
const LATE_MS = 5_000;

export function createFollowers(options: Options): Followers {
  const followers = new Map<string, Follower>();
  const changed = createReadQueue<Follower>((follower) => readChange(lists, follower));
  const lists: Lists = { ...options, followers, changed };
  return {
    async watch(connection) {
      if (!connection.isOpen) return 0;
      const follower = followerOf(followers, connection.caller);
      const isNew = !follower.sockets.has(connection);
      follower.sockets.add(connection);
      try {
        return await read(lists, follower);
      } catch (error) {
        if (isNew) leave(lists, connection);
        throw error;
      }
    },
    of(connection) {
      const follower = followers.get(keyOf(connection.caller));
      return follower?.sockets.has(connection) ? follower : undefined;
    },
    left: (connection) => leave(lists, connection),
    listsChanged(appId, userIds) {
      for (const userId of userIds) {
        const follower = followers.get(keyOf({ appId, userId }));
        if (follower) note(lists, follower);
      }
    },
    allListsChanged() {
      for (const follower of followers.values()) note(lists, follower);
    },
    async stop() {
      for (const { cancelTimer } of followers.values()) cancelTimer?.();
      await changed.stop();
    },
  };
}

function followerOf(followers: Map<string, Follower>, { appId, userId }: Connection['caller']): Follower {
  const key = keyOf({ appId, userId });
  let follower = followers.get(key);
  if (!follower) {
    follower = {
      appId,
      userId,
      sockets: new Set(),
      userIds: new Set(),
      stamp: '',
      reading: Promise.resolve(),
      changedAt: undefined,
      cancelTimer: undefined,
      unsent: new Set(),
    };
    followers.set(key, follower);
  }
  return follower;
}

function leave({ followers, changed, watched }: Lists, connection: Connection): void {
  const follower = followers.get(keyOf(connection.caller));
  if (!follower?.sockets.delete(connection) || follower.sockets.size > 0) return;
  followers.delete(keyOf(follower));
  follower.cancelTimer?.();
  changed.remove(follower);
  watched.remove(follower, [...follower.userIds]);
}

/** Reads the list again, after any reading under way, so that an older list never replaces a newer one. */
function read(lists: Lists, follower: Follower): Promise<number> {
  const reading = follower.reading.then(() => replaceList(lists, follower));
  follower.reading = reading.then(
    () => undefined,
    () => undefined,
  );
  return reading;
}

async function replaceList(lists: Lists, follower: Follower): Promise<number> {
  const { changedAt } = follower;
  follower.changedAt = undefined;
  try {
    const list =
      isCurrent(lists, follower) && (await listFollowed(lists.relations, follower, follower.stamp));
    // The user's last socket may have closed meanwhile.
    if (!list || !isCurrent(lists, follower)) return 0;
    await watchList(lists, follower, { userIds: new Set(list.userIds), changedAt });
    follower.stamp = list.stamp;
    return list.userIds.length;
  } catch (error) {
    follower.changedAt ??= changedAt;
    throw error;
  }
}

type NewList = { userIds: ReadonlySet<string>; changedAt: number | undefined };

async function watchList(
  { watched, ready, pushChangesSince }: Lists,
  follower: Follower,
  { userIds, changedAt }: NewList,
): Promise<void> {
  const unfollowed = [...follower.userIds].filter((userId) => !userIds.has(userId));
  watched.remove(follower, unfollowed);
  for (const userId of watched.add(follower, userIds)) follower.unsent.add(userId);
  // Includes those of an earlier, failed attempt.
  const unsent = [...follower.unsent].filter((userId) => userIds.has(userId));
  await ready(unsent);
  if (changedAt !== undefined && unsent.length > 0) await pushChangesSince(follower, unsent, changedAt);
  follower.unsent.clear();
}

async function readChange(lists: Lists, follower: Follower): Promise<void> {
  try {
    await read(lists, follower);
  } catch (error) {
    lists.failed(error);
    if (isCurrent(lists, follower)) schedule(lists, follower, RETRY_MS);
  }
}

function note(lists: Lists, follower: Follower): void {
  follower.changedAt ??= lists.clock.now() - LATE_MS;
  schedule(lists, follower, GATHER_MS);
}

function schedule({ clock, changed }: Lists, follower: Follower, afterMs: number): void {
  follower.cancelTimer ??= clock.setTimer(afterMs, () => {
    follower.cancelTimer = undefined;
    changed.add(follower);
  });
}

function isCurrent({ followers }: Lists, follower: Follower): boolean {
  return followers.get(keyOf(follower)) === follower;
}

function keyOf({ appId, userId }: { appId: string; userId: string }): string {
  return `${appId}/${userId}`;
}
