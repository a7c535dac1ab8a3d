import { setTimeout as delay } from 'node:timers/promises';
import {
  CONTENDED,
  ContendedError,
  contentionDelay,
  createWaitingTurns,
  LANES_OF_MACHINE,
  type Answer,
  type Contention,
  type WaitingTurns,
} from '@parley/kit/flow/batch';
import { isLockTimeout, type Tx } from '@parley/kit/postgres';
import { currentContext } from '@parley/kit/runtime/request-context';
import { conversationKey } from '../sql/keys.ts';
import {
  lockConversations,
  lockFreeConversations,
  type ConversationRef,
  type LockedConversation,
} from '../sql/conversation/conversation.ts';

/**
 * How a batch locks its conversations: `free`, only those that no transaction holds, or `wait`, all of them, waiting a
 * short time for each.
 */
export type LockMode = 'free' | 'wait';

/**
 * Postgres grants row locks in order of arrival, so this is longer than a few transactions that change a large
 * conversation.
 */
const LOCK_WAIT_MS = 250;
/** Divisor of the connections of sends: at most 1/4 of them may wait for locks, of which one application may use half. */
const WAITING_SHARE = 4;
/** Divisor of the other connections, of which at most 1/8 may wait for locks. */
const CHANGE_WAITING_SHARE = 8;

/** The deadline of a call that has none. */
const DEFAULT_DEADLINE_MS = 5000;
/** The answer that a conversation stayed locked must arrive before the deadline of the call. */
const ANSWER_MARGIN_MS = 250;

/**
 * How many of the connections of sends are for direct writes: each lane has at most two batches in flight, and half of the connections
 * stay for everything else.
 */
export function directConnections(sendPoolSize: number): number {
  return Math.min(2 * LANES_OF_MACHINE, Math.floor(sendPoolSize / 2));
}

/** Limits how many connections of sends wait for locks, for messages, receipts and scheduled messages together. */
export function createLockTurns(sendPoolSize: number): WaitingTurns {
  const max = Math.max(1, Math.floor(sendPoolSize / WAITING_SHARE));
  return createWaitingTurns({ max, maxOfGroup: Math.ceil(max / 2) });
}

/**
 * Limits how many of the other connections wait for a lock. Of each application only one call waits at a time, so that
 * its heavy calls have a connection that does not wait.
 */
export function createChangeTurns(poolSize: number): WaitingTurns {
  return createWaitingTurns({ max: Math.max(1, Math.floor(poolSize / CHANGE_WAITING_SHARE)), maxOfGroup: 1 });
}

/** Locks conversations, and returns the locked ones as they are now, in the order that all transactions keep. */
export async function lockInMode(
  tx: Tx,
  refs: readonly ConversationRef[],
  locking: LockMode,
): Promise<LockedConversation[]> {
  if (locking === 'free') return lockFreeConversations(tx, refs);
  const [, rows] = await Promise.all([
    tx.execute({ text: `set local lock_timeout = '${LOCK_WAIT_MS}ms'` }),
    lockConversations(tx, refs),
  ]);
  return rows;
}

/**
 * Time until which a call's items may wait for their conversation. 0: they do not wait; undefined: until the call's deadline.
 */
export function giveUpTime(waitMs: number | undefined): number {
  const now = performance.now();
  const deadline = currentContext()?.deadline ?? now + DEFAULT_DEADLINE_MS;
  return Math.min(waitMs === undefined ? Infinity : now + waitMs, deadline - ANSWER_MARGIN_MS);
}

/** `lockTurns`: limits how many connections of sends wait for locks. */
export type WaitingContext = { lockTurns: WaitingTurns };

type Options<I, O> = {
  conversationOf(item: I): ConversationRef;
  giveUpAt(item: I): number;
  /** Runs items of one conversation with the lock mode `wait`. */
  wait(items: I[]): Promise<Answer<O>[]>;
};

/** Lets items of conversations that other transactions hold wait separately, on few connections. */
export function conversationContention<I, O>(
  { lockTurns: turns }: WaitingContext,
  { conversationOf, giveUpAt, wait }: Options<I, O>,
): Contention<I, O> {
  return {
    keyOf(item) {
      const { appId, id } = conversationOf(item);
      return conversationKey(appId, id);
    },
    groupOf: (item) => conversationOf(item).appId,
    giveUpAt,
    wait: (items) => wait(items).catch((error: unknown) => contendedOnTimeout(items, error)),
    turns,
  };
}

function contendedOnTimeout<I>(items: I[], error: unknown): (typeof CONTENDED)[] {
  if (!isLockTimeout(error)) throw error;
  return items.map(() => CONTENDED);
}

/**
 * Tries to lock a conversation until it is free, or until shortly before the deadline of the call; then it fails with a
 * ContendedError. Only every second attempt waits for the lock on a connection, and only if a turn is free.
 */
export async function retryUntilFree<T>(
  turns: WaitingTurns,
  appId: string,
  attempt: (locking: LockMode) => Promise<T | typeof CONTENDED>,
): Promise<T> {
  const giveUpAt = giveUpTime(undefined);
  for (let tries = 1; ; tries++) {
    const mayWait = tries % 2 === 0 && performance.now() + 2 * LOCK_WAIT_MS <= giveUpAt;
    const answer = mayWait && turns.take(appId) ? await attemptWaiting() : await attempt('free');
    if (answer !== CONTENDED) return answer;
    if (performance.now() >= giveUpAt) throw new ContendedError();
    await delay(contentionDelay(tries));
  }

  async function attemptWaiting(): Promise<T | typeof CONTENDED> {
    try {
      return await attempt('wait');
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return CONTENDED;
    } finally {
      turns.giveBack(appId);
    }
  }
}
