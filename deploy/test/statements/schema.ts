import type pg from 'pg';
import type { Catalog } from './scope.ts';

/** Tables without partitions, which follow their tables. */
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
