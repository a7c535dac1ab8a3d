const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A historical export may be asked for again after this. SPEC completions 8 */
export const HISTORICAL_INTERVAL_MS = DAY_MS;

/** The first time after `now` when it is `hour` in UTC. */
export function nextAtHour(now: number, hour: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  return today > now ? today : today + DAY_MS;
}

export function daysMs(count: number): number {
  return count * DAY_MS;
}

/** Before the run after that many failed ones. */
export function retryDelay(failures: number): number {
  return Math.min(HOUR_MS, 5000 * 2 ** Math.min(failures, 16));
}
