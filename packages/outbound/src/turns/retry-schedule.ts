const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * The backoff: milliseconds to wait after a number of failed attempts (1, 2, …): up to a fifth more than the schedule, and at least what the
 * target asks for. Undefined after the last attempt. `random` from 0 to 1.
 */
export function retryDelay(
  delaysMs: readonly number[],
  { attempts, random, retryAfterMs = 0 }: { attempts: number; random: number; retryAfterMs?: number },
): number | undefined {
  const delay = delaysMs[attempts - 1];
  if (delay === undefined) return undefined;
  return Math.max(delay * (1 + JITTER * random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** Milliseconds from now that a Retry-After header (seconds or a date) stands for; 0 for anything else. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * SECOND_MS;
  // Date.parse accepts other texts, too, which are not meant as dates.
  const date = /^[A-Z][a-z]+, .* GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
