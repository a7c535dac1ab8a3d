import { setImmediate } from 'node:timers/promises';

/** How long work may keep the thread before the other work of the process gets a turn. Milliseconds. */
const MAX_SLICE_MS = 2;

/**
 * A function for long work to await between its steps. Most of its calls resolve at once; when the work has kept the
 * thread for 2 ms the call resolves after whatever else is ready to run: a large answer must not hold up small ones.
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
