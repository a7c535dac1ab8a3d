import { LRUCache } from 'lru-cache';
import type { Database } from '@parley/kit/postgres';
import { findFollowingStamp, listFollowing, type StampedList } from '../sql/following.ts';

export type Following = {
  /** User ids of everybody that a user follows, in the order of the database, and the stamp of the list. */
  of(appId: string, userId: string): Promise<StampedList>;
};

/** Of all lists together; ~60 bytes each. */
const MAX_CACHED_IDS = 1_000_000;

/**
 * Lists of whom users follow: there is no row for a pair that only shares conversations, so a list is worked out, and
 * then kept for as long as its stamp stands. A page costs one look at the stamp, and its count nothing.
 */
export function createFollowing(db: Database): Following {
  const lists = new LRUCache<string, StampedList>({
    maxSize: MAX_CACHED_IDS,
    sizeCalculation: (list) => list.user_ids.length + 1,
  });
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

/** The part of an ordered list of user ids that comes after one of them, or after where it would stand. */
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

/** The order of the database, which is that of UTF-8 bytes, not of UTF-16. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
