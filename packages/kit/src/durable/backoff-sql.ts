import type { Backoff } from '../flow/backoff.ts';

/** SQL: the interval that `backoff` of kit gives after a number of failures, which is an SQL expression. */
export function backoffSql(failures: string, { firstMs, longestMs }: Backoff): string {
  return `least(${firstMs} * power(2, least(${failures}, 30) - 1), ${longestMs}) * interval '1 millisecond'`;
}
