import { CONTENDED, type WaitingTurns } from '@parley/kit/batch';
import type { PoolShares } from '@parley/kit/postgres/pool-shares';
import type { Database, Tx } from '@parley/kit/postgres';
import { lockInMode, retryUntilFree, type LockMode } from './contention.ts';
import {
  hasConversation,
  type ConversationRef,
  type ConversationRow,
} from '../sql/conversation/conversation.ts';

/** `changeTurns`: limits how many connections, other than those of sends, wait for locks. */
export type LockingContext = { db: Database; shares: PoolShares; changeTurns: WaitingTurns };

/** Runs a piece of a call on the share that the call's application has of the database connections. */
export type Share = <T>(work: () => Promise<T>) => Promise<T>;

export type LockedWork<T> = {
  share: Share;
  /** What is done in the transaction that holds the lock; undefined: there is no such conversation. */
  work: (tx: Tx, conversation: ConversationRow | undefined) => Promise<T>;
};

/**
 * Changes one conversation in a transaction that locks it. Calls of this process for one conversation run one after the
 * other, in the order in which they came. While a call waits for another one, or for the lock of another transaction, it
 * leaves its application's share of the connections to others, but for short tries. Shortly before its deadline it fails
 * with a ContendedError, or with rate_limit_exceeded when it has waited for others of its application.
 */
export function changeConversation<T>(
  ctx: LockingContext,
  ref: ConversationRef,
  { share, work }: LockedWork<T>,
): Promise<T> {
  async function lockAndWork(tx: Tx, locking: LockMode): Promise<T | typeof CONTENDED> {
    const [conversation] = await lockInMode(tx, [ref], locking);
    const isHeld = !conversation && locking === 'free' && (await hasConversation(tx, ref));
    return isHeld ? CONTENDED : work(tx, conversation);
  }

  const attempt = (locking: LockMode) => share(() => ctx.db.tx((tx) => lockAndWork(tx, locking)));
  return runInTurn(ctx, ref, attempt);
}

/**
 * Tries a transaction that locks one conversation in the turn of the call, as `changeConversation` does. Each try takes
 * the application's share itself.
 */
export function runInTurn<T>(
  { shares, changeTurns }: LockingContext,
  { app_id, id }: ConversationRef,
  attempt: (locking: LockMode) => Promise<T | typeof CONTENDED>,
): Promise<T> {
  return shares.inOrder(app_id, id, () => retryUntilFree(changeTurns, app_id, attempt));
}
