import type { Database, Tx } from './postgres.ts';

/**
 * To be called once in a transaction that writes what an erasure may have to take, before it looks up who is erased and before
 * it locks rows that belong to what it writes. An erasure that is not seen afterwards waits for the end of the transaction.
 */
export async function holdOffErasures(tx: Tx, appIds: readonly string[]): Promise<void> {
  const apps = [...new Set(appIds)].sort();
  if (apps.length === 0) return;
  await tx.execute({
    name: 'hold_off_erasures',
    text: `
      select pg_advisory_xact_lock_shared(hashtextextended('erasures ' || app_id, 0))
      from (select app_id from unnest($1::text[]) with ordinality as app (app_id, place) order by place) as app`,
    values: [apps],
  });
}

/**
 * To be awaited before each step of an erasure whose user is on record as erased: then what was written by transactions that
 * did not see it is visible. It is a transaction of its own, which holds nothing else while it waits.
 */
export async function awaitWritesBeforeErasure(db: Database, appId: string): Promise<void> {
  await db.tx((tx) =>
    tx.execute({
      name: 'await_writes_before_erasure',
      text: `select pg_advisory_xact_lock(hashtextextended('erasures ' || $1::text, 0))`,
      values: [appId],
    }),
  );
}
