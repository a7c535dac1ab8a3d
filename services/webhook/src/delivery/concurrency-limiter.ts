import { fairShare } from '@parley/kit/fair-share';

/** How many deliveries may be under way: to each target, of each application, and in all. */
export type Rooms = {
  begin(delivery: Owner): void;
  /** `quick`: it succeeded, and not slowly. */
  end(delivery: Owner, quick: boolean): void;
  /** Of those webhooks that are known; all others have START. */
  list(): { webhook_id: string; room: number }[];
  /** Of those applications that have deliveries under way; all others have `share()`. */
  listShares(): { app_id: string; share: number }[];
  /** How many more deliveries an application may begin; without one, an application that has none under way. */
  share(appId?: string): number;
  /** At least half of its room is free: enough that a claim is worth its statement. */
  isRoomy(webhookId: string): boolean;
  /** For all together. */
  free(): number;
};

export type Owner = { app_id: string; webhook_id: string };

type Target = { app_id: string; limit: number; underWay: number };
type App = { underWay: number; suspects: number };

export const START = 8;
const MOST = 64;
const LEAST = 2;
const SUSPECT = 4;
const MOST_IN_ALL = 1024;
const MOST_KNOWN = 10_000;

/**
 * A target that answers well gets more room with each success, one that fails or is slow has its room halved. Those with
 * little room share half of all there is, so that any number of dead targets leaves the other half to the rest. An
 * application may have as many deliveries under way as there is room left for all others. So a further application finds
 * room at once, however many webhooks the first one has.
 */
export function createRooms(): Rooms {
  const targets = new Map<string, Target>();
  const apps = new Map<string, App>();
  let underWay = 0;

  const isSuspect = ({ limit }: Target): boolean => limit <= SUSPECT;

  function count(target: Target, change: 1 | -1): void {
    const app = apps.get(target.app_id) ?? { underWay: 0, suspects: 0 };
    target.underWay += change;
    underWay += change;
    app.underWay += change;
    if (isSuspect(target)) app.suspects += change;
    if (app.underWay > 0) apps.set(target.app_id, app);
    else apps.delete(target.app_id);
  }

  /** A target that becomes suspect, or stops being it, takes what it has under way along. */
  function setLimit(target: Target, limit: number): void {
    const was = isSuspect(target);
    target.limit = limit;
    const app = apps.get(target.app_id);
    if (app && was !== isSuspect(target)) app.suspects += was ? -target.underWay : target.underWay;
  }

  function forget(): void {
    for (const [id, target] of targets) {
      if (targets.size <= MOST_KNOWN) return;
      if (target.underWay === 0) targets.delete(id);
    }
  }

  const free = (): number => MOST_IN_ALL - underWay;

  return {
    free,
    begin({ app_id, webhook_id }) {
      const target = targets.get(webhook_id) ?? { app_id, limit: START, underWay: 0 };
      targets.set(webhook_id, target);
      count(target, 1);
    },
    end({ webhook_id }, quick) {
      const target = targets.get(webhook_id);
      if (!target) return;
      count(target, -1);
      setLimit(
        target,
        quick ? Math.min(MOST, target.limit + 1) : Math.max(LEAST, Math.floor(target.limit / 2)),
      );
      if (targets.size > MOST_KNOWN) forget();
    },
    list() {
      let left = MOST_IN_ALL / 2;
      for (const { suspects } of apps.values()) left -= suspects;
      const taken = new Map([...apps].map(([id, { suspects }]) => [id, suspects]));
      return [...targets].map(([webhook_id, target]) => {
        const wanted = Math.max(0, target.limit - target.underWay);
        if (!isSuspect(target)) return { webhook_id, room: wanted };
        const own = taken.get(target.app_id) ?? 0;
        const room = Math.min(wanted, fairShare(left, own));
        left -= room;
        taken.set(target.app_id, own + room);
        return { webhook_id, room };
      });
    },
    listShares() {
      return [...apps].map(([app_id, own]) => ({ app_id, share: fairShare(free(), own.underWay) }));
    },
    share: (appId) => fairShare(free(), (appId !== undefined && apps.get(appId)?.underWay) || 0),
    isRoomy(webhookId) {
      const { limit, underWay: some } = targets.get(webhookId) ?? { limit: START, underWay: 0 };
      return some * 2 <= limit;
    },
  };
}
