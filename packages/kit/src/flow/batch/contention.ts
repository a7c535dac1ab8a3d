import { backoff, spread } from '../backoff.ts';
import { createCounter } from './counter.ts';
import type { Answer } from './entry.ts';

const RETRIES = { firstMs: 4, longestMs: 50 };

/**
 * The treatment of items of a contended key: one that another transaction holds, such as a locked row.
 *
 * The items of such a key are set apart in their order, and further items of the key queue behind them; all other items
 * proceed. The key is tried again with the next batch, which never waits, and then alternately alone with `wait`, which
 * waits a short time in the queue of the lock, and with a batch after a delay. So contended keys never use more
 * connections than there are turns, and a key in constant use is not starved.
 */
export type Contention<I, O> = {
  keyOf(item: I): string;
  /** Returns the tenant to which an item belongs. */
  groupOf(item: I): string;
  /** Runs items of one key; may wait a short time for the lock. */
  wait(items: I[]): Promise<Answer<O>[]>;
  /** Limits concurrent calls of `wait`; several batchers may share it. */
  turns: WaitingTurns;
  /** Milliseconds since the epoch; after that time the item is rejected with a ContendedError instead of tried again. */
  giveUpAt(item: I): number;
};

/** A limited number of places, of which each group (tenant) may take a few. */
export type WaitingTurns = {
  /** False when no place is left. */
  take(group: string): boolean;
  giveBack(group: string): void;
};

export function createWaitingTurns({ max, maxOfGroup }: { max: number; maxOfGroup: number }): WaitingTurns {
  const taken = createCounter();
  return {
    take(group) {
      if (taken.total() >= max || taken.of(group) >= maxOfGroup) return false;
      taken.add(group, 1);
      return true;
    },
    giveBack: (group) => taken.add(group, -1),
  };
}

/** Milliseconds until the next attempt that does not wait. Doubles with each attempt, with jitter. */
export function contentionDelay(tries: number): number {
  return spread(backoff(tries - 1, RETRIES));
}
