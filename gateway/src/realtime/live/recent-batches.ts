/**
 * The batches of numbered events that arrived last. A batch that concerns users of several shards arrives once for each of
 * them, one right after the other, and has to be decoded only once.
 */
export type RecentBatches = {
  /** `users`: those of its application who are connected here. */
  has(payload: Uint8Array, users: Users): boolean;
  add(payload: Uint8Array, users: Users): void;
};

/** An application's users in the hub: another object each time that the application has its first socket here. */
type Users = object | undefined;

/** A few, since those of several replicas of messaging arrive mixed. */
const MAX_KEPT = 8;

export function createRecentBatches(): RecentBatches {
  const kept: { payload: Uint8Array; users: Users }[] = [];
  let next = 0;
  return {
    has: (payload, users) => kept.some((other) => other.users === users && isAlike(other.payload, payload)),
    add(payload, users) {
      // Without users the streams take nothing, and would take the next copy if a user has come by then.
      if (!users) return;
      kept[next] = { payload, users };
      next = (next + 1) % MAX_KEPT;
    },
  };
}

function isAlike(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
