import type { Database, Sql } from '@parley/kit/postgres';

/** Runs reads that must agree with each other on one snapshot. */
export function readSnapshot<T>({ db }: { db: Database }, read: (sql: Sql) => Promise<T>): Promise<T> {
  return db.tx(read, { isolation: 'repeatable read', readOnly: true });
}
