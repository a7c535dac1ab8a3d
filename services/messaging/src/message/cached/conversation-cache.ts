import type { Metrics } from '@parley/kit/runtime/telemetry/metrics';
import { LRUCache } from 'lru-cache';
import { conversationKey } from '../../sql/keys.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';

/** A conversation as a transaction of this process left it. */
export type CachedConversation = {
  readonly row: ConversationRow & { changed_at: number };
  /** States from which the next message of a participant is planned, by user id of those who have sent. */
  readonly senders: Map<string, SendState>;
};

/**
 * The conversations that this process has changed lately. Entries may be stale at any time, since other transactions change
 * conversations too: a caller locks the conversation and compares its version in the same transaction.
 */
export type ConversationCache = {
  find(appId: string, id: string): CachedConversation | undefined;
  put(entry: CachedConversation): void;
  drop(appId: string, id: string): void;
  clear(): void;
  /**
   * False while attempts to store from the cache pause, after two or more stale batches in a row. Each call that returns false counts
   * as one skipped batch.
   */
  mayTry(): boolean;
  /** Whether the next call of `mayTry` says true. */
  isTrusted(): boolean;
  noteAttempt(isCurrent: boolean): void;
};

const MAX_CONVERSATIONS = 20_000;
/** Senders cached in all conversations together. A sender takes about 1.5 KB, and the length of an avatar's URL. */
const MAX_SENDERS = 50_000;
/** Longest pause after consecutive stale batches, in batches. */
const LONGEST_PAUSE = 63;

export function createConversationCache(metrics: Metrics): ConversationCache {
  const attempts = metrics.counter({
    name: 'cached_batches_total',
    help: 'Attempts to store a batch of messages from cached conversations: stored, or stale and stored after a read',
    labelNames: ['outcome'],
  });
  const conversations = new LRUCache<string, CachedConversation>({
    max: MAX_CONVERSATIONS,
    maxSize: MAX_SENDERS,
    sizeCalculation: ({ senders }) => Math.max(1, senders.size),
  });
  let failures = 0;
  let paused = 0;
  return {
    find: (appId, id) => conversations.get(conversationKey(appId, id)),
    put(entry) {
      conversations.set(conversationKey(entry.row.app_id, entry.row.id), entry);
    },
    drop: (appId, id) => void conversations.delete(conversationKey(appId, id)),
    clear: () => conversations.clear(),
    mayTry() {
      if (paused === 0) return true;
      paused -= 1;
      return false;
    },
    isTrusted: () => paused === 0,
    noteAttempt(isCurrent) {
      attempts.inc({ outcome: isCurrent ? 'stored' : 'stale' });
      failures = isCurrent ? 0 : failures + 1;
      paused = failures < 2 ? 0 : Math.min(LONGEST_PAUSE, 2 ** (failures - 1) - 1);
    },
  };
}
