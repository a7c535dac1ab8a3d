import type { ChangeStep } from '@parley/domain/json/change';
import type { PacketSink } from '../render/recipients.ts';

/** The steps of one change of a conversation, and the sockets that were connected when it happened. */
export type Patch = { seq: number; steps: readonly ChangeStep[]; sockets: ReadonlySet<PacketSink> };

/** What one user's sockets have yet to learn about a conversation; it is sent as one packet. */
export type PendingUpdate = {
  appId: string;
  conversationId: string;
  userId: string;
  patches: readonly Patch[];
  withUnread: boolean;
  withLastMessage: boolean;
};

/** Identifies a user in a conversation. */
export function keyOf({
  appId,
  conversationId,
  userId,
}: Pick<PendingUpdate, 'appId' | 'conversationId' | 'userId'>): string {
  return `${appId}/${conversationId}/${userId}`;
}

/**
 * The updates that wait, at most one for each user and conversation. An update waits for its next turn while the unread
 * number of its pair is being fetched, and for `intervalMs` after a fetched number was pushed. Pure state: no clock, no I/O.
 */
export class PendingUpdates {
  readonly #intervalMs: number;
  readonly #fetching = new Map<string, PendingUpdate>();
  readonly #pushedAt = new Map<string, number>();
  #pending = new Map<string, PendingUpdate>();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Whether an update may wait for a fetch, or for the interval after one. */
  get isHolding(): boolean {
    return this.#pushedAt.size + this.#fetching.size > 0;
  }

  add(update: PendingUpdate): void {
    const key = keyOf(update);
    const known = this.#pending.get(key);
    this.#pending.set(key, known ? merge(known, update) : update);
  }

  /** Forgets the fetched numbers that were pushed longer ago than the interval. `now`: milliseconds since the epoch. */
  expire(now: number): void {
    const early = now - this.#intervalMs;
    for (const [key, at] of this.#pushedAt) if (at <= early) this.#pushedAt.delete(key);
  }

  /** Takes the updates whose turn it is, and drops those that `isWanted` refuses. */
  takeDue(isWanted: (update: PendingUpdate) => boolean): PendingUpdate[] {
    const updates = this.#pending;
    this.#pending = new Map();
    const due: PendingUpdate[] = [];
    for (const [key, update] of updates) {
      if (!isWanted(update)) continue;
      if (this.#pushedAt.has(key) || this.#fetching.has(key)) this.#pending.set(key, update);
      else due.push(update);
    }
    return due;
  }

  /** Takes everything that waits for one user in one conversation, in order; a fetch under way is no longer theirs. */
  takeAll(key: string): PendingUpdate[] {
    const updates = [this.#fetching.get(key), this.#pending.get(key)];
    this.#fetching.delete(key);
    this.#pending.delete(key);
    return updates.filter((update) => update !== undefined);
  }

  beginFetch(updates: readonly PendingUpdate[]): void {
    for (const update of updates) this.#fetching.set(keyOf(update), update);
  }

  /** False once `takeAll` has taken the update. */
  isFetching(update: PendingUpdate): boolean {
    return this.#fetching.get(keyOf(update)) === update;
  }

  endFetch(updates: readonly PendingUpdate[]): void {
    for (const update of updates) if (this.isFetching(update)) this.#fetching.delete(keyOf(update));
  }

  /** The fetched number of an update was pushed. `now`: milliseconds since the epoch. */
  notePushed(update: PendingUpdate, now: number): void {
    this.#pushedAt.set(keyOf(update), now);
  }
}

function merge(earlier: PendingUpdate, later: PendingUpdate): PendingUpdate {
  return {
    ...earlier,
    patches: later.patches.length > 0 ? [...earlier.patches, ...later.patches] : earlier.patches,
    withUnread: earlier.withUnread || later.withUnread,
    withLastMessage: earlier.withLastMessage || later.withLastMessage,
  };
}
