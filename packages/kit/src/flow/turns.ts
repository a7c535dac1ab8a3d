import { createConcurrency, type ConcurrencyOptions, type Level } from './limits/concurrency.ts';

export type TurnsOptions = Pick<ConcurrencyOptions, 'waitMs' | 'refusal'> & {
  /** Limits of waiting callers, from the outermost group inwards. */
  levels: readonly Omit<Level, 'running' | 'fair'>[];
};

/** Runs `work` when it is the caller's turn; `path` names the caller's groups, one key per level. */
export type Turns = <T>(path: readonly string[], work: () => T) => Promise<T>;

/**
 * Gives one caller a turn in each round of the event loop. When many requests with some milliseconds of work each arrive together, other
 * requests then wait for one of them, not for all. Turns are round-robin over the groups of each level, so that a group with many waiting
 * callers delays another group by one turn. A caller whose request is aborted stops waiting.
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
