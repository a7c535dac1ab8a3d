import pg from 'pg';
import { readCatalog } from './schema.ts';
import type { Catalog } from './scope.ts';

/** Statements that the Postgres of a platform has run, by database. */
export type Recorded = Map<string, { catalog: Catalog; statements: string[] }>;

/**
 * The statements that a Postgres with `recordsStatements` has run since its start, without those that define tables. Partitions
 * have the names of their tables. Fails when it could not keep all of them.
 */
export async function readRecorded(postgresUrl: string): Promise<Recorded> {
  const recorded: Recorded = new Map();
  const statements = await withClient(postgresUrl, 'postgres', listStatements);
  for (const [database, texts] of statements) {
    const { catalog, partitions } = await withClient(postgresUrl, database, async (client) => ({
      catalog: await readCatalog(client),
      partitions: await readPartitions(client),
    }));
    const renamed = texts.map((text) => text.replaceAll(/\w+/g, (word) => partitions.get(word) ?? word));
    recorded.set(database, { catalog, statements: renamed });
  }
  return recorded;
}

async function listStatements(client: pg.Client): Promise<Map<string, string[]>> {
  await client.query('create extension if not exists pg_stat_statements');
  const { rows: lost } = await client.query<{ dealloc: number }>(
    'select dealloc::int from pg_stat_statements_info where dealloc > 0',
  );
  if (lost.length > 0) throw new Error('pg_stat_statements.max is too low to record all statements');
  const { rows } = await client.query<{ database: string; statements: string[] }>(`
    select d.datname::text as database, array_agg(distinct s.query) as statements
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname like 'parley\\_%' group by d.datname`);
  return new Map(rows.map(({ database, statements }) => [database, statements]));
}

async function readPartitions(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ partition: string; table: string }>(
    `select inhrelid::regclass::text as partition, inhparent::regclass::text as table
    from pg_inherits join pg_class c on c.oid = inhrelid and c.relkind in ('r', 'p')`,
  );
  return new Map(rows.map(({ partition, table }) => [partition, table]));
}

async function withClient<T>(
  postgresUrl: string,
  database: string,
  read: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({
    connectionString: url.href,
    options: '-c pg_stat_statements.track=none',
  });
  await client.connect();
  try {
    return await read(client);
  } finally {
    await client.end();
  }
}
