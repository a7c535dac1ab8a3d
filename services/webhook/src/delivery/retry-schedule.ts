import { retryDelay as delayOf } from '@parley/outbound/turns/retry-schedule';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before the second, third, … attempt. docs/protocol/webhooks.md#success-and-retries */
const DELAYS_MS = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  20 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];

/** Delay before the next attempt, on the schedule of webhooks. */
export function retryDelay(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  return delayOf(DELAYS_MS, { attempts, random, retryAfterMs });
}
