import { setTimeout as delay } from 'node:timers/promises';

/** A burst of requests, and then a fixed rate a second. */
export type Pace = { burst: number; perSecond: number };
/** Resolves when the next request may be made; rejects when the signal aborts before. */
export type Turn = (signal: AbortSignal) => Promise<void>;

/** Turns that were not taken for this long are lost. Milliseconds. */
const LATEST_MS = 100;

/** Turns for all clients that share a pace, each of which gets the next one. */
export function createPace({ burst, perSecond }: Pace): Turn {
  let left = burst;
  let due = performance.now();
  return async (signal) => {
    const now = performance.now();
    if (left > 0) {
      left -= 1;
      due = now;
      return;
    }
    due = Math.max(due, now - LATEST_MS) + 1_000 / perSecond;
    if (due > now) await delay(due - now, undefined, { signal });
  };
}
