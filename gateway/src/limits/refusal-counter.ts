import { createBuckets, type Rate } from '@parley/kit/limits/buckets';
import type { Clock } from '@parley/kit/clock';
import { appliedRate } from './limit.ts';

/** Counts what is refused, so that refusing has a bound as well. */
export type RefusalCounter = {
  /** Counts one refusal; false: there were more than the rate of the key, a user, a token or an address, allows. */
  count(key: string): boolean;
};

/** `factor` multiplies the rate; 0: no limit. */
export function createRefusalCounter({
  rate,
  factor,
  clock,
}: {
  rate: Rate;
  factor: number;
  clock: Clock;
}): RefusalCounter {
  const applied = appliedRate(rate, factor);
  if (!applied) return { count: () => true };
  const buckets = createBuckets(applied, clock);
  return { count: (key) => buckets.take(key) === 0 };
}
