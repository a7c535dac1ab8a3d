export const DAY_MS = 86_400_000;

/** How long the logs of changes reach back. Days. */
const KEPT_DAYS = 30;

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** From when on a log of changes is read: a caller whose clock may be another gives an age instead of a time. Milliseconds. */
export function readFrom(request: { fromTimestamp: number; fromMsAgo: number }, now: number): number {
  return request.fromMsAgo > 0 ? now - request.fromMsAgo : request.fromTimestamp;
}

/** The time, in milliseconds, that the logs of changes reach back to: what is older is not promised, whether it is there or not. */
export function oldestKept(now: number): number {
  return startOfDay(now) - KEPT_DAYS * DAY_MS;
}
