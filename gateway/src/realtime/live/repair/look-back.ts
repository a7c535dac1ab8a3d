/** How far before the first live event of an unfollowed conversation its changes are read. */
export type LookBack = {
  /** Changes at most. */
  changes: number;
  /** Milliseconds before that event, by the log's clock. */
  ms: number;
};

/**
 * Longer than gateways wait for the last changes of a messaging process that was killed (it counts as lost after 4 s) or whose connection
 * to the broker is dead (noticed within 5 s). Otherwise a later change from another process would overtake them.
 */
export const SHORT: LookBack = { changes: 32, ms: 15_000 };
/** Proofs come every second or two; if the last one is older, the broker may be unreachable. */
const PROVEN_WITHIN_MS = 3_000;
/** Most changes that are read after the broker was unreachable: one page. */
const MOST_CHANGES = 500;
/** Time until most repairs have read a gap from the logs, including repeated attempts. Milliseconds. */
const REPAIRED_WITHIN_MS = 30_000;

export type LookBacks = {
  /** Messages of the broker may have been missed since `moment`, a time of `now`. */
  missedFrom(moment: number): void;
  /** All messages until `moment` have arrived. */
  confirmedAt(moment: number): void;
  current(): LookBack;
};

/**
 * Looks back further while messages of the broker may be missing: otherwise the first live event after a gap would be delivered before the
 * conversation's changes within the gap, which are read later. `now`: a monotonic clock, in milliseconds.
 */
export function createLookBacks(now: () => number): LookBacks {
  let confirmed = now();
  let gap: { from: number; noticed: number } | undefined;

  /** The beginning of a gap that may still have to be read. */
  const openSince = (): number | undefined =>
    gap && now() - gap.noticed < REPAIRED_WITHIN_MS ? gap.from : undefined;

  return {
    missedFrom(moment) {
      gap = { from: Math.min(openSince() ?? moment, moment), noticed: now() };
    },
    confirmedAt(moment) {
      confirmed = Math.max(confirmed, moment);
    },
    current() {
      const missedForMs = now() - Math.min(openSince() ?? confirmed, confirmed);
      return missedForMs <= PROVEN_WITHIN_MS ? SHORT : { changes: MOST_CHANGES, ms: missedForMs + SHORT.ms };
    },
  };
}
