import { setImmediate } from 'node:timers/promises';

/** Resolves when it is the caller's turn. */
export type Turns = () => Promise<void>;

/**
 * Gives one caller a turn in each round of the event loop, in order of arrival. Work of some milliseconds for each of
 * many requests that arrive together then keeps other requests waiting for one of them, not for all.
 */
export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
