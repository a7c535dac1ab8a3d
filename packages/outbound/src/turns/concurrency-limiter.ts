import { fairShare } from '@parley/kit/flow/limits/fair-share';

/** How many deliveries to one target may be in progress: at first, and at most. */
export type TargetLimits = { initial: number; max: number };

/** Concurrency limiter of deliveries: to each target, of each application, and in all. */
export type DeliveryLimiter = {
  /** The limit of a target that is not known yet. */
  readonly initial: number;
  begin(delivery: DeliveryOwner): void;
  /** `quick`: the delivery succeeded, and fast. */
  end(delivery: DeliveryOwner, quick: boolean): void;
  /** How many more deliveries each known target may begin; all other targets: `initial`. */
  listCapacities(): { targetId: string; capacity: number }[];
  /** How many more deliveries each application with deliveries in progress may begin; all others: `share()`. */
  listShares(): { appId: string; share: number }[];
  /** How many more deliveries an application may begin; without an id: one that has none in progress. */
  share(appId?: string): number;
  /** Whether at least half of a target's limit is free. */
  isHalfFree(targetId: string): boolean;
  /** How many more deliveries may begin in all. */
  free(): number;
};

export type DeliveryOwner = { app_id: string; target_id: string };

type Target = { app_id: string; limit: number; active: number };
type App = { active: number; suspects: number };

const DEFAULT_LIMITS: TargetLimits = { initial: 8, max: 64 };
const MIN_LIMIT = 2;
const SUSPECT_LIMIT = 4;
const MAX_ACTIVE = 1024;
const MAX_KNOWN = 10_000;

/**
 * The limit of a target rises with each quick success, and is halved by a failure or a slow answer. Targets with a small limit
 * are suspect and share half of the whole capacity, so that any number of dead targets leaves the other half to the rest. An
 * application may have as many deliveries in progress as are left for all other applications, so the next application finds
 * capacity at once, however many targets the first one has.
 */
export function createDeliveryLimiter({ initial, max } = DEFAULT_LIMITS): DeliveryLimiter {
  const targets = new Map<string, Target>();
  const apps = new Map<string, App>();
  let active = 0;

  function count(target: Target, change: 1 | -1): void {
    const app = apps.get(target.app_id) ?? { active: 0, suspects: 0 };
    target.active += change;
    active += change;
    app.active += change;
    if (isSuspect(target)) app.suspects += change;
    if (app.active > 0) apps.set(target.app_id, app);
    else apps.delete(target.app_id);
  }

  /** When a target becomes suspect, or stops being suspect, its deliveries in progress count for the other group from then on. */
  function setLimit(target: Target, limit: number): void {
    const was = isSuspect(target);
    target.limit = limit;
    const app = apps.get(target.app_id);
    if (app && was !== isSuspect(target)) app.suspects += was ? -target.active : target.active;
  }

  function forgetIdle(): void {
    for (const [id, target] of targets) {
      if (targets.size <= MAX_KNOWN) return;
      if (target.active === 0) targets.delete(id);
    }
  }

  function free(): number {
    return MAX_ACTIVE - active;
  }

  return {
    initial,
    free,
    begin({ app_id, target_id }) {
      const target = targets.get(target_id) ?? { app_id, limit: initial, active: 0 };
      targets.set(target_id, target);
      count(target, 1);
    },
    end({ target_id }, quick) {
      const target = targets.get(target_id);
      if (!target) return;
      count(target, -1);
      setLimit(target, quick ? Math.min(max, target.limit + 1) : halved(target.limit));
      if (targets.size > MAX_KNOWN) forgetIdle();
    },
    listCapacities: () => capacitiesOf(targets, apps),
    listShares() {
      return [...apps].map(([appId, own]) => ({ appId, share: fairShare(free(), own.active) }));
    },
    share: (appId) => fairShare(free(), (appId !== undefined && apps.get(appId)?.active) || 0),
    isHalfFree(targetId) {
      const target = targets.get(targetId);
      return target === undefined || target.active * 2 <= target.limit;
    },
  };
}

function isSuspect({ limit }: Target): boolean {
  return limit <= SUSPECT_LIMIT;
}

function halved(limit: number): number {
  return Math.max(MIN_LIMIT, Math.floor(limit / 2));
}

function capacitiesOf(targets: ReadonlyMap<string, Target>, apps: ReadonlyMap<string, App>) {
  let left = MAX_ACTIVE / 2;
  for (const { suspects } of apps.values()) left -= suspects;
  const taken = new Map([...apps].map(([id, { suspects }]) => [id, suspects]));
  return [...targets].map(([targetId, target]) => {
    const wanted = Math.max(0, target.limit - target.active);
    if (!isSuspect(target)) return { targetId, capacity: wanted };
    const own = taken.get(target.app_id) ?? 0;
    const capacity = Math.min(wanted, fairShare(left, own));
    left -= capacity;
    taken.set(target.app_id, own + capacity);
    return { targetId, capacity };
  });
}
