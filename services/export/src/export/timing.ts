import { backoff } from '@parley/kit/flow/backoff';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The least time between two historical exports of an application. docs/protocol/exports.md#historical-exports */
export const HISTORICAL_INTERVAL_MS = DAY_MS;

/** The first time after `now` that is `hour` o'clock in UTC. */
export function nextAtHour(now: number, hour: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return today > now ? today : today + DAY_MS;
}

/** Milliseconds of a number of days. */
export function daysMs(count: number): number {
  return count * DAY_MS;
}

/** Milliseconds before the next run, given how many have failed. */
export function retryDelay(failures: number): number {
  return backoff(failures + 1, { firstMs: 5000, longestMs: HOUR_MS });
}
