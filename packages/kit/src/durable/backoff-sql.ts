import type { Backoff } from '../flow/backoff.ts';

/** SQL for the interval that kit's `backoff` returns after a number of failures, itself an SQL expression. */
export function backoffSql(failures: string, { firstMs, longestMs }: Backoff): string {
  return `least(${firstMs} * power(2, least(${failures}, 30) - 1), ${longestMs}) * interval '1 millisecond'`;
}
