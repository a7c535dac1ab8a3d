import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/** Unnumbered events of the last seconds. */
export type RecentlySeen = {
  add(event: Event): void;
  has(event: Event): boolean;
};

/** An event is remembered for at least this long and at most twice as long: far longer than until its rebroadcast. Milliseconds. */
const KEPT_MS = 10_000;

export function createRecentlySeen(now: () => number): RecentlySeen {
  let recent = new Set<string>();
  let older = new Set<string>();
  let since = now();

  return {
    add(event) {
      const age = now() - since;
      if (age >= KEPT_MS) {
        older = age < 2 * KEPT_MS ? recent : new Set();
        recent = new Set();
        since = now();
      }
      recent.add(keyOf(event));
    },
    has(event) {
      const key = keyOf(event);
      return recent.has(key) || older.has(key);
    },
  };
}

/** An event with a large audience arrives in pieces, each for some of the recipients. */
function keyOf({ id, onlyUserIds }: Event): string {
  return `${id}/${onlyUserIds[0] ?? ''}`;
}
