import { createDatabase, type Database, type Tx } from '@parley/kit/postgres';
import type { Context } from '../../src/context.ts';

export type Cost = {
  statements: number;
  /** Rows written by table, for example `message +1`. */
  written: string[];
  rowsRead: number;
};

type TableStats = { name: string; inserted: number; updated: number; deleted: number; read: number };

/**
 * Runs work on its own connection and returns what its transactions cost the database. Postgres is asked from within
 * them, so that nothing else is counted; statements outside of a transaction are refused.
 */
export async function measure(ctx: Context, work: (ctx: Context) => Promise<unknown>): Promise<Cost> {
  const db = connectAlone(ctx);
  try {
    return await measureOn(db, ctx, work);
  } finally {
    await db.close();
  }
}

/** Uses one connection: its statements are planned on their first run. */
export function connectAlone({ config: { databaseUrl: url }, log, cell }: Context): Database {
  return createDatabase({ url, poolSize: 1, log, applicationName: 'cost', cell });
}

/** Measures on a connection that stays open. */
export async function measureOn(
  db: Database,
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
): Promise<Cost> {
  const statements = db.statements;
  const cost: Cost = { statements: 0, written: [], rowsRead: 0 };
  let questions = 0;
  const ask = (tx: Tx): Promise<TableStats[]> => {
    questions++;
    return listStats(tx);
  };
  const refuse = () => Promise.reject(new Error('a statement outside of a transaction'));
  const measured: Database = {
    query: refuse,
    execute: refuse,
    tryLock: refuse,
    directWriter: () => undefined,
    place: refuse,
    close: refuse,
    statements: 0,
    tx: (fn, options) =>
      db.tx(async (tx) => {
        const before = await ask(tx);
        const result = await fn(tx);
        add(cost, before, await ask(tx));
        return result;
      }, options),
  };
  // Publication and deletion after the commit are not counted.
  await work({ ...ctx, db: measured, outbox: { ...ctx.outbox, publish: () => undefined } });
  return { ...cost, statements: db.statements - statements - questions };
}

/** The counts of this connection in this transaction, and perhaps of earlier ones. */
function listStats(tx: Tx): Promise<TableStats[]> {
  return tx.query({
    text: `
      select relname as name, n_tup_ins as inserted, n_tup_upd as updated, n_tup_del as deleted,
        coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_xact_user_tables order by relname`,
  });
}

function add(cost: Cost, before: TableStats[], after: TableStats[]): void {
  const earlier = new Map(before.map((stats) => [stats.name, stats]));
  for (const { name, inserted, updated, deleted, read } of after) {
    const then = earlier.get(name) ?? { inserted: 0, updated: 0, deleted: 0, read: 0 };
    // Counts all partitions of a partitioned table as one.
    const table = name.replace(/^change_.*/, 'change');
    if (inserted > then.inserted) cost.written.push(`${table} +${inserted - then.inserted}`);
    if (updated > then.updated) cost.written.push(`${table} ~${updated - then.updated}`);
    if (deleted > then.deleted) cost.written.push(`${table} -${deleted - then.deleted}`);
    cost.rowsRead += read - then.read;
  }
}
