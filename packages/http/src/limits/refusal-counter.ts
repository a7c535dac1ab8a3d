import { createBuckets, type Rate } from '@parley/kit/flow/limits/buckets';
import type { Clock } from '@parley/kit/runtime/clock';
import { appliedRate } from './limit.ts';

/** How a caller asks. Each has buckets of its own: requests that are refused by HTTP pause no socket of the user. */
export type Door = 'http' | 'socket';

/** Counts what is refused, so that refusing has a bound as well. */
export type RefusalCounter = {
  /**
   * Counts one refusal; false: there were more than the rate allows of the caller, a user, an access token or an address, at this
   * door.
   */
  count(door: Door, caller: string): boolean;
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
  return { count: (door, caller) => buckets.take(`${door} ${caller}`) === 0 };
}
