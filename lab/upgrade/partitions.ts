import type pg from 'pg';

/** Sentences of partitions that lack an index of their table, or have one that is not valid; none when all have all. */
export async function listUneven(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ sentence: string }>(
    `select p.inhrelid::regclass || ' lacks ' || x.indexrelid::regclass as sentence
     from pg_index x join pg_class t on t.oid = x.indrelid and t.relkind = 'p'
     join pg_inherits p on p.inhparent = t.oid
     where not exists (
       select from pg_inherits a join pg_index own on own.indexrelid = a.inhrelid
       where a.inhparent = x.indexrelid and own.indrelid = p.inhrelid and own.indisvalid)
     order by 1`,
  );
  return rows.map(({ sentence }) => sentence);
}
