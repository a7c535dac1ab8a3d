import type pg from 'pg';
import type { Catalog } from './scope.ts';

/** Without partitions, which follow their tables. */
const TABLES = `select c.oid, c.relname from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/** The columns of all tables of the database. */
export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    select t.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from (${TABLES}) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    group by t.relname`);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** The columns of each unique index, those of primary keys and constraints included. */
export async function readUniqueKeys(
  client: pg.ClientBase,
): Promise<{ table: string; index: string; columns: string[] }[]> {
  const { rows } = await client.query<{ table: string; index: string; columns: string[] }>(`
    select t.relname as table, i.indexrelid::regclass::text as index,
      array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts::int) n) as columns
    from (${TABLES}) t join pg_index i on i.indrelid = t.oid and (i.indisunique or i.indisexclusion)`);
  return rows;
}

export type ForeignKey = { name: string; from: string; to: string; columns: string[]; referenced: string[] };

export async function readForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const names = (table: string, key: string) => `array(
    select a.attname::text from unnest(${key}) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number order by k.place)`;
  const { rows } = await client.query<ForeignKey>(`
    select c.conname as name, t.relname as from, c.confrelid::regclass::text as to,
      ${names('c.conrelid', 'c.conkey')} as columns, ${names('c.confrelid', 'c.confkey')} as referenced
    from (${TABLES}) t join pg_constraint c on c.conrelid = t.oid and c.contype = 'f'`);
  return rows;
}

/** Tables with triggers of their own, which Citus does not run on shards. */
export async function listTriggers(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select t.relname as table from (${TABLES}) t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal`,
  );
  return rows.map(({ table }) => table);
}

/** The types of the column `app_id`, by table; absent where a table has none that is `not null`. */
export async function readAppIdTypes(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; type: string }>(`
    select t.relname as table, format_type(a.atttypid, a.atttypmod) as type
    from (${TABLES}) t join pg_attribute a on a.attrelid = t.oid and a.attname = 'app_id' and a.attnotnull`);
  return new Map(rows.map(({ table, type }) => [table, type]));
}
