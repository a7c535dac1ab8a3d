import type { Metrics } from '@parley/kit/telemetry/metrics';
import { LRUCache } from 'lru-cache';
import { conversationKey } from '../../sql/keys.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';

/** A conversation as a transaction of this process left it. */
export type KnownConversation = {
  readonly row: ConversationRow & { changed_at: number };
  /** Participants who have sent, by user id: what their next message depends on. */
  readonly senders: Map<string, SendState>;
};

/**
 * The conversations that this process has changed lately. What is known may be outdated at any time, since other transactions
 * change conversations too: whoever relies on it locks the conversation and compares its version in the same transaction.
 */
export type KnownConversations = {
  find(appId: string, id: string): KnownConversation | undefined;
  put(known: KnownConversation): void;
  drop(appId: string, id: string): void;
  clear(): void;
  /** False for some batches after two or more in a row that found something changed. */
  mayTry(): boolean;
  noteTry(isAsKnown: boolean): void;
};

const MAX_CONVERSATIONS = 20_000;
/** After failures in a row, so many batches at most do not rely on what is known. */
const LONGEST_PAUSE = 63;

export function createKnownConversations(metrics: Metrics): KnownConversations {
  const batches = metrics.counter({
    name: 'known_batches_total',
    help: 'Batches of messages that were to be stored without reading first: stored, or outdated and then read',
    labelNames: ['outcome'],
  });
  const conversations = new LRUCache<string, KnownConversation>({ max: MAX_CONVERSATIONS });
  let failures = 0;
  let paused = 0;
  return {
    find: (appId, id) => conversations.get(conversationKey(appId, id)),
    put(known) {
      conversations.set(conversationKey(known.row.app_id, known.row.id), known);
    },
    drop: (appId, id) => void conversations.delete(conversationKey(appId, id)),
    clear: () => conversations.clear(),
    mayTry() {
      if (paused === 0) return true;
      paused -= 1;
      return false;
    },
    noteTry(isAsKnown) {
      batches.inc({ outcome: isAsKnown ? 'stored' : 'outdated' });
      failures = isAsKnown ? 0 : failures + 1;
      paused = failures < 2 ? 0 : Math.min(LONGEST_PAUSE, 2 ** (failures - 1) - 1);
    },
  };
}
