import { fairShare } from '@parley/kit/flow/limits/fair-share';

/** Counts the hints of applications that wait, so that one application leaves room for the hints of others. */
export type WaitingHints = {
  /** False: the application has as many waiting as it may. */
  begin(appId: string): boolean;
  end(appId: string): void;
};

/** `max`: that may wait in all. */
export function createWaitingHints(max: number): WaitingHints {
  const ofApps = new Map<string, number>();
  let total = 0;

  function add(appId: string, change: 1 | -1): void {
    const count = (ofApps.get(appId) ?? 0) + change;
    total += change;
    if (count > 0) ofApps.set(appId, count);
    else ofApps.delete(appId);
  }

  return {
    begin(appId) {
      if (fairShare(max - total, ofApps.get(appId) ?? 0) === 0) return false;
      add(appId, 1);
      return true;
    },
    end: (appId) => add(appId, -1),
  };
}
