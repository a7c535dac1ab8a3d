import { setImmediate } from 'node:timers/promises';

/** How long work may block the thread before other work gets a turn. Milliseconds. */
const MAX_SLICE_MS = 2;

/**
 * Returns a function that long work awaits between its steps, so that a large response does not delay small ones. Most calls return at
 * once. After 2 ms of work without a pause, the call first lets all other ready work run.
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
