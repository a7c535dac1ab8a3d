import type { ChangeStep } from '@parley/domain/json/change';
import type { PacketSink } from '../render/recipients.ts';

/** The steps of one change of a conversation, and the sockets that were connected when it happened. */
export type Patch = { seq: number; steps: readonly ChangeStep[]; sockets: ReadonlySet<PacketSink> };

/** Updates of one conversation that one user's sockets have not got yet; sent as one packet. */
export type PendingUpdate = {
  appId: string;
  conversationId: string;
  userId: string;
  patches: readonly Patch[];
  withUnread: boolean;
  withLastMessage: boolean;
  /** Whether lean sockets also need the unread count and newest message; new messages already carry them. */
  forLean: boolean;
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
 * Waiting updates, at most one per user and conversation. An update waits while its unread count is being fetched; after a failed fetch it
 * waits until it is revived. Pure state: no clock, no I/O.
 */
export class PendingUpdates {
  readonly #fetching = new Map<string, PendingUpdate>();
  /** Pairs whose turn came while their count was being fetched. */
  readonly #late = new Set<string>();
  #pending = new Map<string, PendingUpdate>();
  #failed = new Map<string, PendingUpdate>();

  add(update: PendingUpdate): void {
    const key = keyOf(update);
    const known = this.#pending.get(key);
    this.#pending.set(key, known ? merge(known, update) : update);
  }

  /** Takes the updates whose turn it is, and drops those that `isWanted` refuses. */
  takeDue(isWanted: (update: PendingUpdate) => boolean): PendingUpdate[] {
    const updates = this.#pending;
    this.#pending = new Map();
    const due: PendingUpdate[] = [];
    for (const [key, update] of updates) {
      if (!isWanted(update)) continue;
      if (this.#fetching.has(key)) {
        this.#pending.set(key, update);
        this.#late.add(key);
      } else due.push(update);
    }
    return due;
  }

  /** Takes everything that waits for one user in one conversation, in order, and detaches a fetch under way. */
  takeAll(key: string): PendingUpdate[] {
    const updates = [this.#failed.get(key), this.#fetching.get(key), this.#pending.get(key)];
    this.#failed.delete(key);
    this.#fetching.delete(key);
    this.#late.delete(key);
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

  /** Ends a fetch. Returns whether another update of such a pair became due meanwhile, so that it is late. */
  endFetch(updates: readonly PendingUpdate[]): boolean {
    let isLate = false;
    for (const update of updates) {
      if (!this.isFetching(update)) continue;
      const key = keyOf(update);
      this.#fetching.delete(key);
      if (this.#late.delete(key)) isLate = true;
    }
    return isLate;
  }

  /** Records that the count of an update could not be fetched; the update waits to be revived, without its patches. */
  noteFailed(update: PendingUpdate): void {
    const key = keyOf(update);
    const known = this.#failed.get(key);
    const rest = { ...update, patches: [] };
    this.#failed.set(key, known ? merge(known, rest) : rest);
  }

  /** Whether an update of the pair waits to be revived. */
  hasFailed(update: PendingUpdate): boolean {
    return this.#failed.has(keyOf(update));
  }

  /** Drops all waiting updates and detaches fetches under way. */
  clear(): void {
    for (const updates of [this.#fetching, this.#pending, this.#failed]) updates.clear();
    this.#late.clear();
  }

  /** Makes the updates whose fetch failed due again. */
  revive(): void {
    const updates = this.#failed;
    this.#failed = new Map();
    for (const update of updates.values()) this.add(update);
  }
}

function merge(earlier: PendingUpdate, later: PendingUpdate): PendingUpdate {
  return {
    ...earlier,
    patches: later.patches.length > 0 ? [...earlier.patches, ...later.patches] : earlier.patches,
    withUnread: earlier.withUnread || later.withUnread,
    withLastMessage: earlier.withLastMessage || later.withLastMessage,
    forLean: earlier.forLean || later.forLean,
  };
}
