const FIRST_MS = 100;
const LONGEST_MS = 10_000;
const STABLE_AFTER_MS = 10_000;

export type Backoff = { next(uptimeMs: number): number };

/**
 * How long to wait before a process that ended starts again: not at all the first time, then doubling for as long as it
 * does not stay up.
 */
export function createBackoff(): Backoff {
  let failures = 0;
  return {
    next: (uptimeMs) => {
      failures = uptimeMs >= STABLE_AFTER_MS ? 1 : failures + 1;
      return failures === 1 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 2), LONGEST_MS);
    },
  };
}
