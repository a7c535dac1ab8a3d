const MINUTE_MS = 60_000;

/** A time in milliseconds since 1970, as a field of the browser has it: local, in minutes. */
export function localMinutes(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * MINUTE_MS;
  return new Date(time - offset).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length);
}
