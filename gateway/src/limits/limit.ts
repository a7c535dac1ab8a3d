import { fail } from '@parley/domain/problems';
import { createBuckets, type Rate } from '@parley/kit/limits/buckets';
import type { Clock } from '@parley/kit/clock';

/** One policy: a bucket for each key. */
export type Limit = {
  /** Problems: rate_limit_exceeded. */
  take(key: string): void;
  /** Fails when `take` would fail, and takes nothing. Problems: rate_limit_exceeded. */
  require(key: string): void;
  /** Takes further tokens for a request that turned out to be heavy. Never fails; later requests are refused instead. */
  charge(key: string, tokens: number): void;
};

type Options = {
  /** Names the limit in refusals. */
  policy: string;
  rate: Rate;
  /** Multiplies the rate; 0: no limit. */
  factor: number;
  clock: Clock;
};

export function createLimit({ policy, rate, factor, clock }: Options): Limit {
  const applied = appliedRate(rate, factor);
  if (!applied) return { take: () => undefined, charge: () => undefined, require: () => undefined };
  const buckets = createBuckets(applied, clock);
  return {
    take(key) {
      const wait = buckets.take(key);
      if (wait > 0) refuse(policy, wait);
    },
    require(key) {
      const wait = buckets.wait(key);
      if (wait > 0) refuse(policy, wait);
    },
    charge: (key, tokens) => buckets.charge(key, tokens),
  };
}

/** A configured rate times the factor; undefined: no limit. */
export function appliedRate({ perSecond, burst }: Rate, factor: number): Rate | undefined {
  if (factor === 0) return undefined;
  return { perSecond: perSecond * factor, burst: Math.max(1, burst * factor) };
}

/** `wait`: seconds after which it is worth trying again. */
export function refuse(policy: string, wait: number): never {
  return fail('rate_limit_exceeded', { data: { policy }, retryAfterSeconds: Math.max(1, Math.ceil(wait)) });
}
