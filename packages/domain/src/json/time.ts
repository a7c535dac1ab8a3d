const MINUTE_MS = 60_000;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

let minute = Number.NaN;
let minuteText = '';

/**
 * `2026-11-20T20:15:30.123Z` for milliseconds since the epoch. Most times shown are of the same minute, so the text of
 * that minute is cached.
 */
export function isoTime(ms: number): string {
  const whole = Math.trunc(ms);
  const start = whole - (whole % MINUTE_MS);
  if (whole < 0) return new Date(whole).toISOString();
  if (start !== minute) {
    minuteText = new Date(start).toISOString().slice(0, -7);
    minute = start;
  }
  const rest = whole - start;
  const seconds = Math.trunc(rest / 1000);
  const millis = rest - seconds * 1000;
  return `${minuteText}${seconds < 10 ? '0' : ''}${seconds}.${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}Z`;
}

/** An ISO 8601 time, or null for an absent one. */
export function isoTimeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}

/** Milliseconds since the epoch of an ISO 8601 time with a zone; undefined for anything else. */
export function parseTime(text: string): number | undefined {
  if (!ISO.test(text)) return undefined;
  const ms = Date.parse(text.toUpperCase().replace(',', '.'));
  return Number.isNaN(ms) ? undefined : ms;
}
