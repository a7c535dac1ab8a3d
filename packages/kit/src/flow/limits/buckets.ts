import { LRUCache } from 'lru-cache';
import type { Clock } from '../../runtime/clock/index.ts';

/** Rate of a bucket: `perSecond` on average, and `burst` at once. */
export type Rate = { perSecond: number; burst: number };

export type Buckets = {
  /** Takes one token from the bucket of `key`. Returns 0, or the seconds until a token is available. */
  take(key: string): number;
  /** Seconds until the bucket of `key` has a token, which is not taken; 0 when it has one. */
  wait(key: string): number;
  /** Takes `tokens` even from an empty bucket, which may leave a debt of one burst that must be refilled before the next token. */
  charge(key: string, tokens: number): void;
};

type Bucket = { tokens: number; at: number };

/** Most buckets kept; a key whose bucket was evicted starts with a full one. About 150 bytes each. */
const MOST = 100_000;

/**
 * Token buckets in the memory of this process: each of N gateways behind a balancer grants the rate.
 * docs/decisions/rate-limits.md#token-buckets
 */
export function createBuckets({ perSecond, burst }: Rate, clock: Clock): Buckets {
  const buckets = new LRUCache<string, Bucket>({ max: MOST });

  function refilled(key: string): Bucket {
    const now = clock.elapsed();
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
