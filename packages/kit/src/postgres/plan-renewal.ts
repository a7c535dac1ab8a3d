/** Decides when the plans of a connection must be renewed. */
export type PlanRenewal = {
  /** Whether the plans are old enough; if so, they count as new from now on. */
  isDue(): boolean;
};

const PLANS_LIVE_MS = 1000;
const PLANS_LIVE_AT_MOST_MS = 60_000;

/**
 * Plans are made once per connection, for the tables as they are at that moment: an index that suits an empty table may read all of a full
 * one. So plans live for a second at first, then twice as long each time.
 */
export function createPlanRenewal(now: () => number = () => performance.now()): PlanRenewal {
  let lifeMs = PLANS_LIVE_MS;
  let renewAt = now() + lifeMs;
  return {
    isDue() {
      const at = now();
      if (at < renewAt) return false;
      lifeMs = Math.min(2 * lifeMs, PLANS_LIVE_AT_MOST_MS);
      renewAt = at + lifeMs;
      return true;
    },
  };
}
