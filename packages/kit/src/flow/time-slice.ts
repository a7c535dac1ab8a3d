import { setImmediate } from 'node:timers/promises';

/** How long work may keep the thread before the other work of the process gets a turn. Milliseconds. */
const MAX_SLICE_MS = 2;

/**
 * Returns a function that long work awaits between its steps, so that a large response does not hold up small ones. Most
 * calls return at once. When the work has kept the thread for 2 ms, the call first lets all other work run that is ready.
 */
export function createTimeSlice(
  now: () => number = () => performance.now(),
): () => Promise<void> | undefined {
  let began = now();
  return () => {
    if (now() - began < MAX_SLICE_MS) return undefined;
    return setImmediate().then(() => {
      began = now();
    });
  };
}
