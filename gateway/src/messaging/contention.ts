import { CONTENDED, createWaitingTurns, type Answer, type Contention } from '@parley/kit/batch';
import type { BatchItem } from './batched-request.ts';

/** How long one call waits for what other transactions hold, before it is made again. */
const WAIT_MS = 500;
/** Such calls at once, for all applications and for one: each is a call in memory here and in the service. */
const MAX_WAITING = { max: 512, maxOfGroup: 128 };

/** One batch; items that are contended are waited for at most `waitMs`. */
export type BatchCall<I, O> = (gathered: BatchItem<I>[], waitMs: number) => Promise<Answer<O>[]>;

/**
 * Sets items apart whose conversation the service could not lock: a batch is called without waiting, and what is contended
 * goes on in a call of its own, so that the items of other conversations are answered at once.
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
  const left = Math.min(...gathered.map(({ giveUpAt }) => giveUpAt)) - Date.now();
  return Math.max(1, Math.min(WAIT_MS, left));
}

/** A result as an answer of a batch. */
export function toAnswer<R>(result: R, isContended: boolean): Answer<R> {
  return isContended ? CONTENDED : result;
}
