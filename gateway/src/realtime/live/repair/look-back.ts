/** How far before the first live event of a conversation that a gateway did not follow its changes are read. */
export type LookBack = {
  /** Changes at most. */
  changes: number;
  /** Milliseconds before that event, by the log's clock. */
  ms: number;
};

/**
 * Longer than gateways wait for the last changes of a process of messaging that is killed (it counts as lost after 4 s) or whose link to
 * the broker is dead (noticed within 5 s). Otherwise a later change that another process publishes in the meantime would come first.
 */
export const SHORT: LookBack = { changes: 32, ms: 15_000 };
/** Proofs come every second or two; an older one means that the broker may be away. */
const PROVEN_WITHIN_MS = 3_000;
/** The changes that are read when the broker was away: as many as one page has. */
const MOST_CHANGES = 500;
/** Until a gap is read from the logs, the users of most repairs included that have to be tried again. */
const REPAIRED_WITHIN_MS = 30_000;

export type LookBacks = {
  /** Messages of the broker may have been missed from a moment on. Moments are those of `now`. */
  missedFrom(moment: number): void;
  /** All messages until a moment have come. */
  provenAt(moment: number): void;
  current(): LookBack;
};

/**
 * Further back than usual while messages of the broker may be missing: otherwise the first live event after a gap would be delivered
 * before those of its conversation that the gap took, which are read later. `now`: a clock that does not jump, in milliseconds.
 */
export function createLookBacks(now: () => number): LookBacks {
  let proven = now();
  let gap: { from: number; noticed: number } | undefined;

  /** The beginning of a gap that may still have to be read. */
  const openSince = (): number | undefined =>
    gap && now() - gap.noticed < REPAIRED_WITHIN_MS ? gap.from : undefined;

  return {
    missedFrom(moment) {
      gap = { from: Math.min(openSince() ?? moment, moment), noticed: now() };
    },
    provenAt(moment) {
      proven = Math.max(proven, moment);
    },
    current() {
      const missedForMs = now() - Math.min(openSince() ?? proven, proven);
      return missedForMs <= PROVEN_WITHIN_MS ? SHORT : { changes: MOST_CHANGES, ms: missedForMs + SHORT.ms };
    },
  };
}
