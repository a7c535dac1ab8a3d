import type { Database, Sql } from '@parley/kit/postgres';

/** Reads that must agree with each other: all see the database as it is at the first of them. */
export function readSnapshot<T>({ db }: { db: Database }, read: (sql: Sql) => Promise<T>): Promise<T> {
  return db.tx(read, { isolation: 'repeatable read', readOnly: true });
}
