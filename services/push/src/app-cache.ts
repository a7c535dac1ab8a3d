import { LRUCache } from 'lru-cache';

/** Values of applications, read again after some seconds. */
export type AppCache<T> = { of(appId: string): Promise<T> };

/** A change is used by all replicas after at most this long. */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;

export function createAppCache<T>(read: (appId: string) => Promise<T>): AppCache<T> {
  const cache = new LRUCache<string, Promise<T>>({ max: MAX_KEPT, ttl: KEPT_MS });
  return {
    of(appId) {
      const known = cache.get(appId);
      if (known) return known;
      const value = read(appId);
      cache.set(appId, value);
      value.catch(() => {
        if (cache.peek(appId) === value) cache.delete(appId);
      });
      return value;
    },
  };
}
