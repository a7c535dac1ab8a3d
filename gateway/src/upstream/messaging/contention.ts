import { CONTENDED, createWaitingTurns, type Answer, type Contention } from '@parley/kit/flow/batch';
import type { BatchItem } from './batched-request.ts';

/** How long one call waits for contended conversations, before it is repeated. Milliseconds. */
const WAIT_MS = 500;
/** Most waiting calls, of all applications and of one: each holds memory here and in the service. */
const MAX_WAITING = { max: 512, maxOfGroup: 128 };

/** Calls for one batch, which waits at most `waitMs` for contended items. */
export type BatchCall<I, O> = (gathered: BatchItem<I>[], waitMs: number) => Promise<Answer<O>[]>;

/**
 * Isolates items whose conversation is contended: a batch does not wait for locks, and its contended items are repeated in
 * calls of their own, so that items of other conversations are answered at once.
 */
export function createContention<I extends { appId: string }, O>(
  keyOf: (item: I) => string,
  call: BatchCall<I, O>,
): Contention<BatchItem<I>, O> {
  return {
    keyOf: ({ item }) => keyOf(item),
    groupOf: ({ item }) => item.appId,
    giveUpAt: ({ giveUpAt }) => giveUpAt,
    wait: (gathered) => call(gathered, waitTime(gathered)),
    turns: createWaitingTurns(MAX_WAITING),
  };
}

function waitTime(gathered: BatchItem<unknown>[]): number {
  const left = Math.min(...gathered.map(({ giveUpAt }) => giveUpAt)) - performance.now();
  return Math.max(1, Math.min(WAIT_MS, left));
}

/** The answer of a batch for one result. */
export function toAnswer<R>(result: R, isContended: boolean): Answer<R> {
  return isContended ? CONTENDED : result;
}
