import pg from 'pg';
import { withDatabase } from '../load/database.ts';

/** Contents of one database. Partitions count as their table. */
export type Stored = {
  /** Bytes of all tables with their indexes. */
  bytes: number;
  connections: number;
  tables: Record<string, { bytes: number; live: number; dead: number }>;
  /** Sizes of tables that must stay short. */
  bounded: Record<string, { bytes: number; rows: number }>;
};

const TABLES = `
  select relid::regclass::text as name, pg_total_relation_size(relid)::float8 as bytes,
    n_live_tup::float8 as live, n_dead_tup::float8 as dead
  from pg_stat_user_tables`;
const PARTITION = /_(p\d{8}|default)$/;

/** Work queues, the outbox, and what is kept for open sockets: of the tables with a due time those that delete what is done. */
const BOUNDED = `
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'due_at' and table_name not in ('delivery', 'export', 'notice')
  union select table_name from information_schema.tables
  where table_name in ('outbox', 'live_publisher', 'presence_hold', 'presence_gateway')`;

/** Reads the contents of all databases, by database. */
export async function storage(url: string): Promise<Record<string, Stored>> {
  const names = await withDatabase(url, 'postgres', (client) =>
    queryRows<{ datname: string; connections: number }>(
      client,
      `select datname, count(pid)::float8 as connections from pg_database left join pg_stat_activity using (datname)
       where datname like 'parley_%' group by datname order by datname`,
    ),
  );
  const stored: Record<string, Stored> = {};
  for (const { datname, connections } of names)
    stored[datname.replace('parley_', '')] = await withDatabase(url, datname, async (client) => ({
      ...(await tablesOf(client)),
      connections,
      bounded: await boundedOf(client),
    }));
  return stored;
}

async function tablesOf(client: pg.Client): Promise<Pick<Stored, 'bytes' | 'tables'>> {
  const tables: Stored['tables'] = {};
  let bytes = 0;
  for (const row of await queryRows<{ name: string; bytes: number; live: number; dead: number }>(
    client,
    TABLES,
  )) {
    const sum = (tables[row.name.replace(PARTITION, '')] ??= { bytes: 0, live: 0, dead: 0 });
    sum.bytes += row.bytes;
    sum.live += row.live;
    sum.dead += row.dead;
    bytes += row.bytes;
  }
  return { bytes, tables };
}

async function boundedOf(client: pg.Client): Promise<Stored['bounded']> {
  const bounded: Stored['bounded'] = {};
  for (const { name } of await queryRows<{ name: string }>(client, BOUNDED)) {
    const table = pg.escapeIdentifier(name);
    const [row] = await queryRows<{ rows: number; bytes: number }>(
      client,
      `select count(*)::float8 as rows, pg_total_relation_size(${pg.escapeLiteral(table)})::float8 as bytes from ${table}`,
    );
    bounded[name] = row!;
  }
  return bounded;
}

async function queryRows<Row extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<Row[]> {
  return (await client.query<Row>(sql)).rows;
}
