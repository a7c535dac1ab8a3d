import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** What a bucket takes in: `perSecond` on average, and `burst` at once. */
export type Rate = { perSecond: number; burst: number };

export type Buckets = {
  /** Takes one token of the bucket of `key`; 0, or else the seconds after which there is one. */
  take(key: string): number;
  /** The seconds after which the bucket of `key` has a token, which is left where it is; 0: it has one. */
  wait(key: string): number;
  /** Takes `tokens` that need not be there: what is missing has to flow in before the next is granted. */
  charge(key: string, tokens: number): void;
};

type Bucket = { tokens: number; at: number };

/** Who comes back after that many others begins with a full bucket; ~150 bytes each. */
const MOST = 100_000;

/**
 * Token buckets in the memory of this process, since what they guard is its own: behind a balancer each of N gateways
 * grants the rate. The clock must not jump; one that goes back only refills later.
 */
export function createBuckets({ perSecond, burst }: Rate, clock: Clock): Buckets {
  const buckets = new LRUCache<string, Bucket>({ max: MOST });

  function refilled(key: string): Bucket {
    const now = clock.now();
    let bucket = buckets.get(key);
    if (!bucket) buckets.set(key, (bucket = { tokens: burst, at: now }));
    const elapsed = Math.max(0, now - bucket.at) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + elapsed * perSecond);
    bucket.at = now;
    return bucket;
  }

  function waitFor({ tokens }: Bucket): number {
    return tokens < 1 ? (1 - tokens) / perSecond : 0;
  }

  return {
    take(key) {
      const bucket = refilled(key);
      const wait = waitFor(bucket);
      if (wait === 0) bucket.tokens -= 1;
      return wait;
    },
    wait: (key) => waitFor(refilled(key)),
    charge(key, tokens) {
      const bucket = refilled(key);
      bucket.tokens = Math.max(-burst, bucket.tokens - tokens);
    },
  };
}
