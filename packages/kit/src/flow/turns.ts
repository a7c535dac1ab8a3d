import { createConcurrency, type ConcurrencyOptions, type Level } from './limits/concurrency.ts';

export type TurnsOptions = Pick<ConcurrencyOptions, 'waitMs' | 'refusal'> & {
  /** How many may wait for their turns, from the outermost group of callers inwards. */
  levels: readonly Omit<Level, 'running' | 'fair'>[];
};

/** Runs `work` when it is the turn of the caller, whose groups `path` names, one key for each level. */
export type Turns = <T>(path: readonly string[], work: () => T) => Promise<T>;

/**
 * Gives one caller a turn in each round of the event loop. Work of some milliseconds for each of many requests that
 * arrive together then keeps other requests waiting for one of them, not for all. The turns go round-robin over the
 * groups of each level, so that a group with many waiting callers delays another group by one turn. A caller whose
 * request is aborted stops waiting.
 */
export function createTurns({ levels, waitMs, refusal }: TurnsOptions): Turns {
  const inTurn = createConcurrency({
    levels: levels.map((level) => ({ ...level, running: 1 })),
    waitMs,
    refusal,
  });
  return async (path, work) => {
    const leave = await inTurn.enter(path);
    try {
      return work();
    } finally {
      setImmediate(leave);
    }
  };
}
