import type { Database, Sql, Tx } from '@parley/kit/postgres';

type Options = NonNullable<Parameters<Database['tx']>[1]>;

const ONE_SNAPSHOT: Options = { isolation: 'repeatable read', readOnly: true };

/** Runs reads that must agree with each other on one snapshot. */
export function readSnapshot<T>({ db }: { db: Database }, read: (sql: Sql) => Promise<T>): Promise<T> {
  return db.tx(read, ONE_SNAPSHOT);
}

/**
 * Reads a snapshot whose last statements are sent together with the commit, which saves a round trip. `read` makes those by `last`, and must not
 * wait for them: it returns a promise of the answer in an object.
 */
export async function readSnapshotToLast<T>(
  { db }: { db: Database },
  read: (sql: Sql, last: Sql) => Promise<{ answer: Promise<T> }>,
): Promise<T> {
  const { answer } = await db.tx(async (tx) => {
    const reading = await read(tx, lastOf(tx));
    // When the transaction fails, it is not awaited.
    reading.answer.catch(() => undefined);
    return reading;
  }, ONE_SNAPSHOT);
  return answer;
}

function lastOf(tx: Tx): Sql {
  return { ...tx, query: (statement) => tx.lastQuery(statement) };
}
