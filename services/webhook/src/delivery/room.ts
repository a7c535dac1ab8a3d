/** How many deliveries may be under way, to each target and in all. */
export type Rooms = {
  begin(webhookId: string): void;
  /** `quick`: it succeeded, and not slowly. */
  end(webhookId: string, quick: boolean): void;
  /** Of those that are known; all others have START. */
  list(): { webhook_id: string; room: number }[];
  /** At least half of its room is free: enough that a claim is worth its statement. */
  isRoomy(webhookId: string): boolean;
  /** For all together. */
  free(): number;
};

type Target = { limit: number; underWay: number };

export const START = 8;
const MOST = 64;
const LEAST = 2;
const SUSPECT = 4;
const MOST_IN_ALL = 1024;
const MOST_KNOWN = 10_000;

/**
 * A target that answers well gets more room with each success, one that fails or is slow has its room halved. Those with
 * little room share half of all there is, so that any number of dead targets leaves the other half to the rest.
 */
export function createRooms(): Rooms {
  const targets = new Map<string, Target>();
  let underWay = 0;

  function forget(): void {
    for (const [id, target] of targets) {
      if (targets.size <= MOST_KNOWN) return;
      if (target.underWay === 0) targets.delete(id);
    }
  }

  return {
    begin(webhookId) {
      const target = targets.get(webhookId) ?? { limit: START, underWay: 0 };
      target.underWay += 1;
      underWay += 1;
      targets.set(webhookId, target);
    },
    end(webhookId, quick) {
      const target = targets.get(webhookId);
      if (!target) return;
      target.underWay -= 1;
      underWay -= 1;
      target.limit = quick ? Math.min(MOST, target.limit + 1) : Math.max(LEAST, Math.floor(target.limit / 2));
      if (targets.size > MOST_KNOWN) forget();
    },
    list() {
      let suspects = MOST_IN_ALL / 2;
      for (const { limit, underWay: some } of targets.values()) if (limit <= SUSPECT) suspects -= some;
      return [...targets].map(([webhook_id, { limit, underWay: some }]) => {
        if (limit > SUSPECT) return { webhook_id, room: Math.max(0, limit - some) };
        const room = Math.max(0, Math.min(limit - some, suspects));
        suspects -= room;
        return { webhook_id, room };
      });
    },
    isRoomy(webhookId) {
      const { limit, underWay: some } = targets.get(webhookId) ?? { limit: START, underWay: 0 };
      return some * 2 <= limit;
    },
    free: () => MOST_IN_ALL - underWay,
  };
}
