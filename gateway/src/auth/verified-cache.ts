import { LRUCache } from 'lru-cache';
import type { Revocations } from './revocations.ts';
import type { RevokedNow } from './revoked.ts';

export type VerifiedCache<V> = {
  /** The cached value while it may be used without asking, else what `look` brings. Nothing undefined is kept. */
  get(key: string, look: () => Promise<V>): V | Promise<V>;
  /** Whether a value was looked up and is not revoked as far as is known, also while it may not be used without asking. */
  has(key: string): boolean;
};

type Options<V> = { max: number; revocations: Revocations; concerns(value: V, revoked: RevokedNow): boolean };

/** How often a look-up is repeated because something was revoked while it was under way. */
const MAX_LOOKS = 3;

/**
 * Values that stand until they are revoked. A look-up that was begun before a revocation might have seen the time
 * before it: it is done again, so that whoever gets a value is told of every later revocation.
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
