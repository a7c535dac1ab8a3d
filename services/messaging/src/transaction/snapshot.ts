import type { Sql } from '@parley/kit/postgres';
import type { Context } from '../context.ts';

/** Reads that must agree with each other: all see the database as it is at the first of them. */
export function readSnapshot<T>(ctx: Context, read: (sql: Sql) => Promise<T>): Promise<T> {
  return ctx.db.tx(read, { isolation: 'repeatable read', readOnly: true });
}
