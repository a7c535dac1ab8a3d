import type { Database } from '../postgres/index.ts';

export type Partitioned = { name: string; key: string };

/** The partitioned tables of the schema `public`, with what they are partitioned by. */
export function listPartitioned(db: Database): Promise<Partitioned[]> {
  return db.query<Partitioned>({
    text: `
      select c.relname as name, pg_get_partkeydef(c.oid) as key from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'p' and not c.relispartition order by 1`,
  });
}

/** The indexes of each partition of a table, by its name: the valid indexes that belong to those of the table, without their names. */
export async function listIndexes(db: Database, table: string): Promise<Record<string, string[]>> {
  const rows = await db.query<{ partition: string; definitions: string[] }>({
    text: `
      select p.relname as partition, array_agg(definition order by definition) filter (where definition is not null) as definitions
      from pg_inherits i join pg_class p on p.oid = i.inhrelid
      left join lateral (
        select parent.relname || ': ' || case when x.indisunique then 'unique ' else '' end
          || regexp_replace(pg_get_indexdef(x.indexrelid), '^.* (USING .*)$', '\\1') as definition
        from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid join pg_class parent on parent.oid = a.inhparent
        where x.indrelid = p.oid and x.indisvalid) own on true
      where i.inhparent = $1::text::regclass group by 1 order by 1`,
    values: [table],
  });
  return Object.fromEntries(rows.map(({ partition, definitions }) => [partition, definitions ?? []]));
}

const DAY_MS = 86_400_000;

/** Adds a partition for a day, counted from 2001, as a service does. */
export async function addPartition(
  db: Database,
  { name, key }: Partitioned,
  { partition, day }: { partition: string; day: number },
): Promise<void> {
  if (!/^RANGE \(\w+\)$/.test(key)) throw new Error(`${name} is partitioned by ${key}, which no test knows`);
  const [from, to] = [day, day + 1].map((one) => new Date(Date.UTC(2001, 0, 1) + one * DAY_MS).toISOString());
  await db.execute({ text: `create table ${partition} (like ${name} including all)` });
  await db.execute({
    text: `alter table ${name} attach partition ${partition} for values from ('${from}') to ('${to}')`,
  });
}
