export type Backoff = { firstMs: number; longestMs: number };

/** Milliseconds to wait after a number of failures in a row (1, 2, …): twice as long after each, up to the longest. */
export function backoff(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}

/** Half of a wait to all of it, so that those who fail together do not come back together. `random`: from 0 to 1. */
export function spread(waitMs: number, random = Math.random()): number {
  return waitMs * (0.5 + random / 2);
}
