import { LRUCache } from 'lru-cache';
import type { Revocations } from './revocations.ts';
import type { RevokedNow } from './revoked.ts';

export type VerifiedCache<V> = {
  /** Returns the cached value while revocations are known, otherwise the result of `look`. */
  get(key: string, look: () => Promise<V>): V | Promise<V>;
  /** Whether a value is cached, even if it may not be used because revocations are not known. */
  has(key: string): boolean;
};

type Options<V> = { max: number; revocations: Revocations; concerns(value: V, revoked: RevokedNow): boolean };

/** How often a look-up is repeated when something was revoked during it. */
const MAX_LOOKS = 3;

/**
 * Caches values until they are revoked. A look-up that began before a revocation is repeated, because it may have read the state before it:
 * every revocation after a value was returned reaches the listeners of `revocations`.
 */
export function createVerifiedCache<V extends object>({
  max,
  revocations,
  concerns,
}: Options<V>): VerifiedCache<V> {
  const cache = new LRUCache<string, V>({ max });
  revocations.onRevoked((revoked) => {
    for (const [key, value] of cache.entries()) if (concerns(value, revoked)) cache.delete(key);
  });

  async function lookUp(key: string, look: () => Promise<V>): Promise<V> {
    for (let looks = 1; ; looks += 1) {
      const mark = revocations.mark();
      const value = await look();
      const isCurrent = mark === revocations.mark();
      if (isCurrent && mark !== undefined) cache.set(key, value);
      if (isCurrent || looks === MAX_LOOKS) return value;
    }
  }

  return {
    get: (key, look) => (revocations.isFresh() ? cache.get(key) : undefined) ?? lookUp(key, look),
    has: (key) => cache.has(key),
  };
}
