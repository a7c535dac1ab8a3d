import { createDatabase, type Database } from '@parley/kit/postgres';
import type { Context } from '../../src/context.ts';

export type Cost = {
  statements: number;
  /** Rows written by table, e.g. `message +1`. */
  written: string[];
  rowsRead: number;
};

type TableStats = { name: string; inserted: number; updated: number; deleted: number; read: number };

/** Runs something on a connection of its own and gives what it cost the database. */
export async function measure(ctx: Context, work: (ctx: Context) => Promise<unknown>): Promise<Cost> {
  const { databaseUrl: url } = ctx.config;
  const db = createDatabase({ url, poolSize: 1, log: ctx.log, applicationName: 'cost' });
  try {
    // What is published and deleted after the commit is not part of it.
    const quiet = { ...ctx, db, outbox: { ...ctx.outbox, publish: () => undefined } };
    const before = await listStats(db);
    const statements = db.statements;
    await work(quiet);
    const spent = db.statements - statements;
    return compare(before, await listStats(db), spent);
  } finally {
    await db.close();
  }
}

// The statistics of this connection are reported at the end of the transaction that asks for it.
async function listStats(db: Database): Promise<TableStats[]> {
  await db.query({ text: 'select pg_stat_force_next_flush()' });
  return db.query<TableStats>({
    text: `
      select relname as name, n_tup_ins as inserted, n_tup_upd as updated, n_tup_del as deleted,
        coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_user_tables order by relname`,
  });
}

function compare(before: TableStats[], after: TableStats[], statements: number): Cost {
  const written: string[] = [];
  let rowsRead = 0;
  for (const [index, { name, inserted, updated, deleted, read }] of after.entries()) {
    const then = before[index]!;
    // Of a partitioned table, whichever partition it is.
    const table = name.replace(/^change_.*/, 'change');
    if (inserted > then.inserted) written.push(`${table} +${inserted - then.inserted}`);
    if (updated > then.updated) written.push(`${table} ~${updated - then.updated}`);
    // Earlier messages' events may be acknowledged meanwhile, which deletes their rows.
    if (deleted > then.deleted && table !== 'outbox') written.push(`${table} -${deleted - then.deleted}`);
    rowsRead += read - then.read;
  }
  return { statements, written, rowsRead };
}
