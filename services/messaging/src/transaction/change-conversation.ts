import { CONTENDED, type WaitingTurns } from '@parley/kit/flow/batch';
import type { PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Database, Tx } from '@parley/kit/postgres';
import type { ConversationCache } from '../message/cached/conversation-cache.ts';
import { dropOutdated } from '../message/cached/update-cache.ts';
import { lockInMode, retryUntilFree, type LockMode } from './contention.ts';
import {
  hasConversation,
  type ConversationRef,
  type LockedConversation,
} from '../sql/conversation/conversation.ts';

/** `changeTurns`: limits how many connections, other than those of sends, wait for locks. */
export type LockingContext = {
  db: Database;
  shares: PoolShares;
  changeTurns: WaitingTurns;
  conversationCache: ConversationCache;
};

/** Runs a piece of work on the application's share of the database connections. */
export type Share = <T>(work: () => Promise<T>) => Promise<T>;

export type LockedWork<T> = {
  share: Share;
  /** The work in the transaction that holds the lock; undefined: the conversation does not exist. */
  work: (tx: Tx, conversation: LockedConversation | undefined) => Promise<T>;
};

/**
 * Changes one conversation in a transaction that locks it. Calls of this process for one conversation run one after the
 * other, in their order of arrival. A call that waits for another one, or for a lock of another transaction, releases
 * its application's share of the connections except for short attempts. Shortly before its deadline it fails with a
 * ContendedError, or with rate_limit_exceeded when it waited for other calls of its application.
 */
export function changeConversation<T>(
  ctx: LockingContext,
  ref: ConversationRef,
  { share, work }: LockedWork<T>,
): Promise<T> {
  async function lockAndWork(tx: Tx, locking: LockMode): Promise<T | typeof CONTENDED> {
    const [conversation] = await lockInMode(tx, [ref], locking);
    const isHeld = !conversation && locking === 'free' && (await hasConversation(tx, ref));
    if (isHeld) return CONTENDED;
    const answer = await work(tx, conversation);
    // Behind what the work itself does after the commit.
    if (conversation) {
      const { app_id, id } = conversation;
      tx.afterCommit(
        () => dropOutdated(ctx.conversationCache, conversation),
        () => ctx.conversationCache.drop(app_id, id),
      );
    }
    return answer;
  }

  const attempt = (locking: LockMode) => share(() => ctx.db.tx((tx) => lockAndWork(tx, locking)));
  return runInTurn(ctx, ref, attempt);
}

/**
 * Runs attempts to lock one conversation when it is the call's turn, as `changeConversation` does. Each attempt takes
 * the application's share itself.
 */
export function runInTurn<T>(
  { shares, changeTurns }: LockingContext,
  { appId, id }: ConversationRef,
  attempt: (locking: LockMode) => Promise<T | typeof CONTENDED>,
): Promise<T> {
  return shares.inOrder(appId, id, () => retryUntilFree(changeTurns, appId, attempt));
}
