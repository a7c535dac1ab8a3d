const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * Waits before another try: as long as the platform asked for, otherwise twice as long as before, with a random part; not longer than
 * until the device is online again. Ends early, without an error, when the signal aborts.
 *
 * @param attempt The number of tries that failed before this one, from 0.
 * @param retryAfter Seconds.
 */
export function waitBeforeRetry(
  attempt: number,
  retryAfter: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);
  const ms = retryAfter === undefined ? backoff : retryAfter * 1000;
  const page: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> = globalThis as object;
  return new Promise((resolve) => {
    function end(): void {
      clearTimeout(timer);
      page.removeEventListener?.('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
    const timer = setTimeout(end, ms);
    if (retryAfter === undefined) page.addEventListener?.('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
