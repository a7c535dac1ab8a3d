/** Distinct hashes are counted exactly up to so many, and estimated beyond: the standard error is then about 4.4 %. */
export const EXACT_UP_TO = 512;
/** Hashes are whole numbers below this. */
export const HASH_SPACE = 2 ** 52;

/** A hash of a user in an application, the same in every process: two lanes of multiplications, without a secret (cyrb53). */
export function hashUser(appId: string, userId: string): number {
  const text = `${appId}/${userId}`;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 2 ** 32 * (high & 0xfffff) + (low >>> 0);
}

/** The number of distinct values, of which the smallest hashes are kept: how many are kept, and the largest of them. */
export function estimateDistinct(kept: number, largest: number): number {
  return kept < EXACT_UP_TO ? kept : Math.round((EXACT_UP_TO - 1) / (largest / HASH_SPACE));
}

/** The smallest of some hashes, in order and each once; those that a count needs. */
export function smallestHashes(hashes: Iterable<number>): number[] {
  return [...new Set(hashes)].sort((a, b) => a - b).slice(0, EXACT_UP_TO);
}

/**
 * Gathers the smallest hashes of a set in bounded memory. Sets of several processes are united by uniting their hashes and keeping
 * the smallest again.
 */
export class DistinctHashes {
  #kept = new Set<number>();
  #fresh: number[] = [];
  /** Hashes from here on do not matter, since there are enough smaller ones. */
  #end = HASH_SPACE;

  add(hash: number): void {
    if (hash >= this.#end || this.#kept.has(hash)) return;
    this.#kept.add(hash);
    this.#fresh.push(hash);
    if (this.#kept.size >= 2 * EXACT_UP_TO) this.#keepSmallest();
  }

  #keepSmallest(): void {
    const smallest = smallestHashes(this.#kept);
    this.#end = smallest.at(-1)! + 1;
    this.#kept = new Set(smallest);
    this.#fresh = this.#fresh.filter((hash) => hash < this.#end);
  }

  /** The hashes that were added since the last call and matter. */
  takeFresh(): number[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }
}
