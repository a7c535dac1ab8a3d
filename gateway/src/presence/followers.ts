import type { Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/clock';
import type { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Connection } from '../connection/connection.ts';
import { listFollowed } from './followed.ts';
import { createReadQueue } from './read-queue.ts';
import type { Subscription, Watched } from './watched.ts';

/** Sockets that want to know where everybody is whom their user follows, now and later. */
export type Followers = {
  /** Resolves once the present list is watched, with how many users were read for it. Does nothing for a socket that is closed. */
  watch(connection: Connection): Promise<number>;
  of(connection: Connection): Subscription | undefined;
  left(connection: Connection): void;
  /** Whom these users follow may have changed. */
  listsChanged(appId: string, userIds: Iterable<string>): void;
  /** Followed lists may have changed while the broker was away. */
  allListsChanged(): void;
  stop(): Promise<void>;
};

type Options = {
  relations: Client<typeof RelationService>;
  watched: Watched;
  /** Resolves once nothing that happens to these users is missed. */
  ready(userIds: readonly string[]): Promise<void>;
  /** Tells a subscription what happened to users since a time, before they were watched. */
  pushChangesSince(subscription: Subscription, userIds: readonly string[], since: number): Promise<void>;
  clock: Clock;
  failed(error: unknown): void;
};

/** All sockets of one user share a list. */
type Follower = Subscription & {
  readonly userId: string;
  /** Of the list that is watched; empty before the first. */
  stamp: string;
  /** Resolves when the list has been read that is being read now. */
  reading: Promise<void>;
  /** When the oldest change of the list that is not read yet may have happened. */
  changedAt: number | undefined;
  cancelTimer: (() => void) | undefined;
  /** Users who are watched, but of whom it was not told yet what happened since the change of the list. */
  readonly unsent: Set<string>;
};

/** Changes of one list that come within this time are read together. */
const GATHER_MS = 250;
const RETRY_MS = 5_000;
/** A change arrives at most this long after it happened: it is published twice, and the clocks of two hosts differ. */
const LATE_MS = 5_000;

export function createFollowers(options: Options): Followers {
  const { relations, watched, clock } = options;
  const followers = new Map<string, Follower>();
  const changedLists = createReadQueue(readChange);

  function isCurrent(follower: Follower): boolean {
    return followers.get(keyOf(follower)) === follower;
  }

  /** One after the other, so that an older list never takes the place of a newer one. */
  function read(follower: Follower): Promise<number> {
    const reading = follower.reading.then(() => replaceList(follower));
    follower.reading = reading.then(
      () => undefined,
      () => undefined,
    );
    return reading;
  }

  async function replaceList(follower: Follower): Promise<number> {
    const { changedAt } = follower;
    follower.changedAt = undefined;
    try {
      const list = isCurrent(follower) && (await listFollowed(relations, follower, follower.stamp));
      // Its last socket may have gone meanwhile.
      if (!list || !isCurrent(follower)) return 0;
      const followed = new Set(list.userIds);
      watched.remove(
        follower,
        [...follower.userIds].filter((userId) => !followed.has(userId)),
      );
      for (const userId of watched.add(follower, followed)) follower.unsent.add(userId);
      // Those that were left untold by a try that failed are among them.
      const added = [...follower.unsent].filter((userId) => followed.has(userId));
      await options.ready(added);
      if (changedAt !== undefined && added.length > 0)
        await options.pushChangesSince(follower, added, changedAt);
      follower.unsent.clear();
      follower.stamp = list.stamp;
      return list.userIds.length;
    } catch (error) {
      follower.changedAt ??= changedAt;
      throw error;
    }
  }

  async function readChange(follower: Follower): Promise<void> {
    try {
      await read(follower);
    } catch (error) {
      options.failed(error);
      if (isCurrent(follower)) schedule(follower, RETRY_MS);
    }
  }

  function schedule(follower: Follower, afterMs: number): void {
    follower.cancelTimer ??= clock.setTimer(afterMs, () => {
      follower.cancelTimer = undefined;
      changedLists.add(follower);
    });
  }

  function note(follower: Follower): void {
    follower.changedAt ??= clock.now() - LATE_MS;
    schedule(follower, GATHER_MS);
  }

  function followerOf({ appId, userId }: Connection['caller']): Follower {
    const key = keyOf({ appId, userId });
    let follower = followers.get(key);
    if (!follower) {
      follower = {
        ...{ appId, userId, sockets: new Set<Connection>(), userIds: new Set<string>(), stamp: '' },
        ...{ reading: Promise.resolve(), changedAt: undefined, cancelTimer: undefined, unsent: new Set() },
      };
      followers.set(key, follower);
    }
    return follower;
  }

  function leave(connection: Connection): void {
    const follower = followers.get(keyOf(connection.caller));
    if (!follower?.sockets.delete(connection) || follower.sockets.size > 0) return;
    followers.delete(keyOf(follower));
    follower.cancelTimer?.();
    changedLists.remove(follower);
    watched.remove(follower, [...follower.userIds]);
  }

  return {
    async watch(connection) {
      if (!connection.isOpen) return 0;
      const follower = followerOf(connection.caller);
      const isNew = !follower.sockets.has(connection);
      follower.sockets.add(connection);
      try {
        return await read(follower);
      } catch (error) {
        if (isNew) leave(connection);
        throw error;
      }
    },
    of(connection) {
      const follower = followers.get(keyOf(connection.caller));
      return follower?.sockets.has(connection) ? follower : undefined;
    },
    left: leave,
    listsChanged(appId, userIds) {
      for (const userId of userIds) {
        const follower = followers.get(keyOf({ appId, userId }));
        if (follower) note(follower);
      }
    },
    allListsChanged() {
      for (const follower of followers.values()) note(follower);
    },
    async stop() {
      for (const { cancelTimer } of followers.values()) cancelTimer?.();
      await changedLists.stop();
    },
  };
}

function keyOf({ appId, userId }: { appId: string; userId: string }): string {
  return `${appId}/${userId}`;
}
