import type { ChangeStep } from '@parley/domain/json/change';
import type { PacketSink } from '../render/recipients.ts';

/** Steps of one change of a conversation, for the sockets that were there. */
export type Patch = { seq: number; steps: readonly ChangeStep[]; sockets: ReadonlySet<PacketSink> };

/** What one user is still to be told of a conversation: all of it is one packet. */
export type PendingUpdate = {
  appId: string;
  conversationId: string;
  userId: string;
  patches: readonly Patch[];
  withUnread: boolean;
  withLastMessage: boolean;
};

export type PendingUpdates = {
  put(pair: PendingUpdate): void;
  /** Takes what is pending of one user in one conversation. */
  take(key: string): PendingUpdate | undefined;
  takeAll(): PendingUpdate[];
};

export function keyOf({
  appId,
  conversationId,
  userId,
}: Pick<PendingUpdate, 'appId' | 'conversationId' | 'userId'>): string {
  return `${appId}/${conversationId}/${userId}`;
}

export function createPendingUpdates(): PendingUpdates {
  let pending = new Map<string, PendingUpdate>();
  return {
    put(pair) {
      const known = pending.get(keyOf(pair));
      pending.set(keyOf(pair), known ? merge(known, pair) : pair);
    },
    take(key) {
      const pair = pending.get(key);
      pending.delete(key);
      return pair;
    },
    takeAll() {
      const pairs = [...pending.values()];
      pending = new Map();
      return pairs;
    },
  };
}

function merge(earlier: PendingUpdate, later: PendingUpdate): PendingUpdate {
  return {
    ...earlier,
    patches: later.patches.length > 0 ? [...earlier.patches, ...later.patches] : earlier.patches,
    withUnread: earlier.withUnread || later.withUnread,
    withLastMessage: earlier.withLastMessage || later.withLastMessage,
  };
}
