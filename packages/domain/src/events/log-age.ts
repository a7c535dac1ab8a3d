export const DAY_MS = 86_400_000;

/** How far back the logs reach. Days. */
const KEPT_DAYS = 30;

/** A change may become visible this long after its own time, when its transaction commits. */
export const MAX_COMMIT_DELAY_MS = 5_000;

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** The time from which a log is read: callers with another clock send an age instead of a time. Milliseconds. */
export function readFrom(request: { fromTimestamp: number; fromMsAgo: number }, now: number): number {
  return request.fromMsAgo > 0 ? now - request.fromMsAgo : request.fromTimestamp;
}

/** Largest difference between the clocks of two processes: code that compares their times allows for it. docs/operations.md#clocks */
export const CLOCK_SKEW_MS = 5_000;

/**
 * Whether a log is complete since a time named by the caller. `horizon`: the earliest time in the log. A time in the future comes from a
 * wrong clock, and does not tell what the caller has missed.
 */
export function isComplete(since: number, now: number, horizon = -Infinity): boolean {
  return Math.max(horizon, oldestKept(now)) <= since && since <= now + CLOCK_SKEW_MS;
}

/** The time, in milliseconds, that the logs are guaranteed to reach back to. */
export function oldestKept(now: number): number {
  return startOfDay(now) - KEPT_DAYS * DAY_MS;
}
