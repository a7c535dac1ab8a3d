const firstMs = 100;
const mostMs = 10_000;
const stableAfterMs = 10_000;

// How long to wait before a process that ended starts again: not at all the first time, then doubling for as long as it
// does not stay up.
export function createBackoff(): { next(uptimeMs: number): number } {
  let failures = 0;
  return {
    next: (uptimeMs) => {
      failures = uptimeMs >= stableAfterMs ? 1 : failures + 1;
      return failures === 1 ? 0 : Math.min(firstMs * 2 ** (failures - 2), mostMs);
    },
  };
}
