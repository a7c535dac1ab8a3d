import { setTimeout as delay } from 'node:timers/promises';

/** A time shorter than a caller of this service waits. */
const LIMIT_MS = 4_000;

/** The result of the work, or `otherwise` when it takes longer than an administrator's call may. */
export async function withinCall<T>(work: Promise<T>, otherwise: T): Promise<T> {
  const stop = new AbortController();
  const late = delay(LIMIT_MS, otherwise, { signal: stop.signal }).catch(() => otherwise);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
