import { fairShare } from '@parley/kit/limits/fair-share';

/** How many deliveries may be under way: to each target, of each application, and in all. */
export type DeliveryLimiter = {
  begin(delivery: DeliveryOwner): void;
  /** `quick`: it succeeded, and not slowly. */
  end(delivery: DeliveryOwner, quick: boolean): void;
  /** Of those webhooks that are known; all others have INITIAL_LIMIT. */
  listCapacities(): { webhook_id: string; capacity: number }[];
  /** Of those applications that have deliveries under way; all others have `share()`. */
  listShares(): { app_id: string; share: number }[];
  /** How many more deliveries an application may begin; without one, an application that has none under way. */
  share(appId?: string): number;
  /** At least half of its room is free: enough that a claim is worth its statement. */
  isHalfFree(webhookId: string): boolean;
  /** For all together. */
  free(): number;
};

export type DeliveryOwner = { app_id: string; webhook_id: string };

type Target = { app_id: string; limit: number; active: number };
type App = { active: number; suspects: number };

export const INITIAL_LIMIT = 8;
const MAX_LIMIT = 64;
const MIN_LIMIT = 2;
const SUSPECT_LIMIT = 4;
const MAX_ACTIVE = 1024;
const MAX_KNOWN = 10_000;

/**
 * A target that answers well gets more room with each success, one that fails or is slow has its room halved. Those with
 * little room share half of all there is, so that any number of dead targets leaves the other half to the rest. An
 * application may have as many deliveries under way as there is room left for all others. So a further application finds
 * room at once, however many webhooks the first one has.
 */
export function createDeliveryLimiter(): DeliveryLimiter {
  const targets = new Map<string, Target>();
  const apps = new Map<string, App>();
  let active = 0;

  const isSuspect = ({ limit }: Target): boolean => limit <= SUSPECT_LIMIT;

  function count(target: Target, change: 1 | -1): void {
    const app = apps.get(target.app_id) ?? { active: 0, suspects: 0 };
    target.active += change;
    active += change;
    app.active += change;
    if (isSuspect(target)) app.suspects += change;
    if (app.active > 0) apps.set(target.app_id, app);
    else apps.delete(target.app_id);
  }

  /** A target that becomes suspect, or stops being it, takes what it has under way along. */
  function setLimit(target: Target, limit: number): void {
    const was = isSuspect(target);
    target.limit = limit;
    const app = apps.get(target.app_id);
    if (app && was !== isSuspect(target)) app.suspects += was ? -target.active : target.active;
  }

  function forget(): void {
    for (const [id, target] of targets) {
      if (targets.size <= MAX_KNOWN) return;
      if (target.active === 0) targets.delete(id);
    }
  }

  const free = (): number => MAX_ACTIVE - active;

  return {
    free,
    begin({ app_id, webhook_id }) {
      const target = targets.get(webhook_id) ?? { app_id, limit: INITIAL_LIMIT, active: 0 };
      targets.set(webhook_id, target);
      count(target, 1);
    },
    end({ webhook_id }, quick) {
      const target = targets.get(webhook_id);
      if (!target) return;
      count(target, -1);
      setLimit(
        target,
        quick ? Math.min(MAX_LIMIT, target.limit + 1) : Math.max(MIN_LIMIT, Math.floor(target.limit / 2)),
      );
      if (targets.size > MAX_KNOWN) forget();
    },
    listCapacities() {
      let left = MAX_ACTIVE / 2;
      for (const { suspects } of apps.values()) left -= suspects;
      const taken = new Map([...apps].map(([id, { suspects }]) => [id, suspects]));
      return [...targets].map(([webhook_id, target]) => {
        const wanted = Math.max(0, target.limit - target.active);
        if (!isSuspect(target)) return { webhook_id, capacity: wanted };
        const own = taken.get(target.app_id) ?? 0;
        const capacity = Math.min(wanted, fairShare(left, own));
        left -= capacity;
        taken.set(target.app_id, own + capacity);
        return { webhook_id, capacity };
      });
    },
    listShares() {
      return [...apps].map(([app_id, own]) => ({ app_id, share: fairShare(free(), own.active) }));
    },
    share: (appId) => fairShare(free(), (appId !== undefined && apps.get(appId)?.active) || 0),
    isHalfFree(webhookId) {
      const { limit, active: some } = targets.get(webhookId) ?? { limit: INITIAL_LIMIT, active: 0 };
      return some * 2 <= limit;
    },
  };
}
