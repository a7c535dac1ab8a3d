/**
 * The latest batches of numbered events. A batch for users of several shards arrives once per shard, in close succession, and needs
 * decoding only once.
 */
export type RecentBatches = {
  /** `users`: the application's users who are connected here. */
  has(payload: Uint8Array, users: Users): boolean;
  add(payload: Uint8Array, users: Users): void;
};

/** An application's users in the hub: a new object whenever the application gets its first socket here. */
type Users = object | undefined;

/** More than one, since batches of several messaging replicas arrive interleaved. */
const MAX_KEPT = 8;

export function createRecentBatches(): RecentBatches {
  const kept: { payload: Uint8Array; users: Users }[] = [];
  let next = 0;
  return {
    has: (payload, users) => kept.some((other) => other.users === users && isAlike(other.payload, payload)),
    add(payload, users) {
      // Without users the streams ignore events, but would accept the next copy if a user has connected by then.
      if (!users) return;
      kept[next] = { payload, users };
      next = (next + 1) % MAX_KEPT;
    },
  };
}

function isAlike(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
