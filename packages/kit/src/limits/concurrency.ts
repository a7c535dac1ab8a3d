import { startTimeout } from '../clock.ts';
import { createTree, type Level, type Waiter } from './concurrency-tree.ts';
import { currentContext } from '../request-context.ts';

export type { Level } from './concurrency-tree.ts';

export type ConcurrencyOptions = {
  /** From the outermost group inwards: everything together, one application, one user. */
  levels: readonly Level[];
  /** How long a caller may wait for its turn, or a function that computes it for the current request. Milliseconds. */
  waitMs: number | (() => number);
  /** Makes the error of a caller that finds its queue full, or has waited too long. */
  refusal: () => Error;
};

export type Concurrency = {
  /** Runs `work` as soon as each group of `path`, one key for each level, has room for it. */
  run<T>(path: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Waits for a place; resolves with a function that gives the place back and may be called more than once. */
  enter(path: readonly string[]): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
};

/**
 * A concurrency limiter for nested groups. Each group runs at most so many calls at once; further callers wait in a
 * bounded queue and are admitted in turn: round-robin over the groups of each level, in order of arrival within the
 * innermost. So a group with a thousand waiting callers delays another group by one call, not by a thousand. A caller
 * whose request is aborted stops waiting.
 */
export function createConcurrency({ levels, waitMs, refusal }: ConcurrencyOptions): Concurrency {
  const tree = createTree(levels);

  function letIn(): void {
    for (let next = tree.next(); next; next = tree.next()) next.start();
  }

  function leave(path: readonly string[]): () => void {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      tree.leave(path);
      letIn();
    };
  }

  function wait(path: readonly string[]): Promise<void> {
    const signal = currentContext()?.signal;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancelTimer();
        signal?.removeEventListener('abort', giveUp);
      };
      const waiter: Waiter = { start: () => (end(), resolve()) };
      const giveUp = (): void => {
        end();
        tree.forget(path, waiter);
        reject(refusal());
      };
      const cancelTimer = startTimeout(typeof waitMs === 'number' ? waitMs : waitMs(), giveUp);
      signal?.addEventListener('abort', giveUp, { once: true });
      tree.enqueue(path, waiter);
    });
  }

  async function enter(path: readonly string[]): Promise<() => void> {
    if (path.length !== levels.length)
      throw new Error(`a path of ${path.length} keys for ${levels.length} levels`);
    if (!tree.enter(path)) {
      if (!tree.hasQueueRoom(path) || currentContext()?.signal?.aborted) throw refusal();
      await wait(path);
    }
    return leave(path);
  }

  return {
    enter,
    async run(path, work) {
      const done = await enter(path);
      try {
        return await work();
      } finally {
        done();
      }
    },
    get running() {
      return tree.running;
    },
    get waiting() {
      return tree.waiting;
    },
  };
}
