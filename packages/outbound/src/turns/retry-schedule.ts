const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before the second, third, … attempt. docs/protocol/webhooks.md#success-and-retries */
const DELAYS_MS = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  20 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * The backoff: milliseconds to wait after a number of failed attempts (1, 2, …): up to a fifth more than the schedule, and at least what the
 * target asks for. Undefined after the last attempt. `random` from 0 to 1.
 */
export function retryDelay(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS_MS[attempts - 1];
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
