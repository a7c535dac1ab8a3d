import { withDatabase } from './databases.ts';

/** A statement that services sent, with what one run of it took. Times in milliseconds; a block has 8 KiB. */
export type Statement = {
  id: string;
  database: string;
  text: string;
  runs: number;
  meanMs: number;
  mostMs: number;
  /** Blocks that a run read, on average. */
  blocks: number;
  /** Rows that a run answered or changed, on average. */
  rows: number;
};

/** Forgets what was recorded so far. */
export async function resetStatements(server: string): Promise<void> {
  await withDatabase(server, 'postgres', async (client) => {
    await client.query('create extension if not exists pg_stat_statements');
    await client.query('select pg_stat_statements_reset()');
  });
}

/** Lists the statements of the services since the last reset, the most expensive first. */
export function listStatements(server: string): Promise<Statement[]> {
  return withDatabase(server, 'postgres', async (client) => {
    const { rows } = await client.query<Statement>(
      `select s.queryid::text as id, substr(d.datname, 8) as database, s.query as text, s.calls::int as runs,
         s.mean_exec_time as "meanMs", s.max_exec_time as "mostMs",
         ((s.shared_blks_hit + s.shared_blks_read) / s.calls)::float8 as blocks, (s.rows / s.calls)::float8 as rows
       from pg_stat_statements s join pg_database d on d.oid = s.dbid
       where d.datname like 'parley\\_%' and s.calls > 0 order by s.mean_exec_time desc`,
    );
    return rows;
  });
}

/** Shortens a statement to one line. */
export function shorten(text: string, length = 110): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
