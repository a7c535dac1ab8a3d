const MAX_TIME = 8_640_000_000_000_000;

/** Whether a number is whole milliseconds since 1970, up to the latest time of a Date; Postgres has all of these times. */
export function isTime(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_TIME;
}
