export type Backoff = { firstMs: number; longestMs: number };

/** Milliseconds to wait after consecutive failures (1, 2, …): doubled with each failure, up to the longest. */
export function backoff(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}

/** A random wait from half of `waitMs` to all of it, so that clients that failed together do not retry together. `random`: from 0 to 1. */
export function spread(waitMs: number, random = Math.random()): number {
  return waitMs * (0.5 + random / 2);
}
