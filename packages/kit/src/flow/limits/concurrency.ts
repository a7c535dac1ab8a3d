import { startTimeout } from '../../runtime/clock/index.ts';
import {
  createTree,
  enqueue,
  forget,
  giveBackPlaces,
  hasQueueRoom,
  takeNext,
  takePlaces,
  type Level,
  type Tree,
  type Waiter,
} from './concurrency-tree.ts';
import { currentContext } from '../../runtime/request-context.ts';

export type { Level } from './concurrency-tree.ts';

export type ConcurrencyOptions = {
  /** Levels from the outermost group inwards: everything together, one application, one user. */
  levels: readonly Level[];
  /** How long a caller may wait for a turn, or a function that computes it for the current request. Milliseconds. */
  waitMs: number | (() => number);
  /** Creates the error for a caller that finds its queue full or has waited too long. */
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

type Limiter = Pick<ConcurrencyOptions, 'waitMs' | 'refusal'> & { readonly tree: Tree };

/**
 * A concurrency limiter for nested groups. Each group runs a limited number of calls at once; further callers wait in a bounded queue and
 * are admitted in turn: round-robin over the groups of each level, in order of arrival within the innermost. So a group with a thousand
 * waiting callers delays another group by one call, not by a thousand. A caller whose request is aborted stops waiting.
 */
export function createConcurrency({ levels, waitMs, refusal }: ConcurrencyOptions): Concurrency {
  const limiter: Limiter = { tree: createTree(levels), waitMs, refusal };
  return {
    enter: (path) => enter(limiter, path),
    async run(path, work) {
      const leave = await enter(limiter, path);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get running() {
      return limiter.tree.top.running;
    },
    get waiting() {
      return limiter.tree.top.waiting;
    },
  };
}

async function enter(limiter: Limiter, path: readonly string[]): Promise<() => void> {
  const { tree, refusal } = limiter;
  if (path.length !== tree.levels.length)
    throw new Error(`a path of ${path.length} keys for ${tree.levels.length} levels`);
  if (!takePlaces(tree, path)) {
    if (!hasQueueRoom(tree, path) || currentContext()?.signal?.aborted) throw refusal();
    await waitForTurn(limiter, path);
  }
  return createLeave(tree, path);
}

function waitForTurn({ tree, waitMs, refusal }: Limiter, path: readonly string[]): Promise<void> {
  const signal = currentContext()?.signal;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancelTimer();
      signal?.removeEventListener('abort', giveUp);
    };
    const waiter: Waiter = { start: () => (end(), resolve()) };
    const giveUp = (): void => {
      end();
      forget(tree, path, waiter);
      reject(refusal());
    };
    const cancelTimer = startTimeout(typeof waitMs === 'number' ? waitMs : waitMs(), giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    enqueue(tree, path, waiter);
  });
}

function createLeave(tree: Tree, path: readonly string[]): () => void {
  let isInside = true;
  return () => {
    if (!isInside) return;
    isInside = false;
    giveBackPlaces(tree, path);
    for (let next = takeNext(tree); next; next = takeNext(tree)) next.start();
  };
}
