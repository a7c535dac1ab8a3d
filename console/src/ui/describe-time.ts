const SHORT = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Units with how long they last, and below which distance a time is said in them. */
const UNITS = [
  { unit: 'second', unitMs: 1_000, belowMs: 60_000 },
  { unit: 'minute', unitMs: 60_000, belowMs: 3_600_000 },
  { unit: 'hour', unitMs: 3_600_000, belowMs: 86_400_000 },
] as const;

/** A time of the last or the next day in words, such as “5 minutes ago”; another as a date. `now`: milliseconds since 1970. */
export function describeTime(date: Date, now = Date.now()): string {
  const distanceMs = date.getTime() - now;
  const near = UNITS.find(({ belowMs }) => Math.abs(distanceMs) < belowMs);
  return near ? RELATIVE.format(Math.round(distanceMs / near.unitMs), near.unit) : SHORT.format(date);
}
