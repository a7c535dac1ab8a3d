import { LRUCache } from 'lru-cache';
import type { Database } from '@parley/kit/postgres';
import type { Epochs } from '@parley/kit/postgres/epoch';
import { findFollowingStamp, listFollowing, type StampedList } from '../sql/following.ts';

export type Following = {
  /** The ids of all users that a user follows, in the order of the database, and the list's stamp. */
  of(appId: string, userId: string): Promise<StampedList>;
};

/** Ids in all cached lists together; an id takes about 60 bytes. */
const MAX_CACHED_IDS = 1_000_000;

/**
 * Caches following lists. There is no row for a pair that only shares conversations, so a list is computed, and
 * cached for as long as its stamp is current. A page costs one look-up of the stamp, and the count of all costs
 * nothing.
 */
export function createFollowing({ db, epochs }: { db: Database; epochs: Epochs }): Following {
  const lists = new LRUCache<string, StampedList>({
    maxSize: MAX_CACHED_IDS,
    sizeCalculation: (list) => list.user_ids.length + 1,
  });
  // Stamps are assigned again.
  epochs.onChange(() => lists.clear());
  return {
    async of(appId, userId) {
      const key = `${appId}/${userId}`;
      const cached = lists.get(key);
      if (cached && cached.stamp === (await findFollowingStamp(db, appId, userId))) return cached;
      const list = await listFollowing(db, appId, userId);
      lists.set(key, list);
      return list;
    },
  };
}

/** The page of an ordered list of user ids after `fromId`, which need not be in the list. */
export function pageAfter(userIds: readonly string[], fromId: string, pageSize: number): string[] {
  let first = 0;
  let end = fromId === '' ? 0 : userIds.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (compareBytes(userIds[middle] ?? '', fromId) <= 0) first = middle + 1;
    else end = middle;
  }
  return userIds.slice(first, first + pageSize);
}

/** The database orders by UTF-8 bytes, not by UTF-16 units. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
