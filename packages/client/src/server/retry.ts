import { ParleyError } from '../errors.ts';

const TRANSIENT = new Set([
  'network_error',
  'request_timeout',
  'rate_limit_exceeded',
  'internal_server_error',
  'service_unavailable',
]);
const PROXY_STATUSES = new Set([502, 503, 504]);

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/** Whether the same request may succeed later. */
export function isWorthRetrying({ id, status }: ParleyError): boolean {
  return TRANSIENT.has(id) || (id === 'invalid_answer' && PROXY_STATUSES.has(status ?? 0));
}

/**
 * How long to wait before the next try, in milliseconds: what the platform asked for, otherwise twice as long as before, with a random
 * part.
 *
 * @param attempt The number of tries that failed before this one, from 0.
 * @param retryAfter For how many seconds the platform asked to wait.
 */
export function delayOf(attempt: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined)
    return Math.min(retryAfter * 1000, LONGEST_DELAY_MS) + Math.random() * FIRST_DELAY_MS;
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);
}

/** Resolves after `ms` milliseconds; rejects with `request_canceled` once the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function cancel(): void {
      clearTimeout(timer);
      const message = 'The caller canceled the request.';
      reject(new ParleyError({ id: 'request_canceled', message }, { cause: signal?.reason }));
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}
