import type pg from 'pg';

/**
 * The state of a cell created ahead of `PARLEY_CELLS`, in the comment of its schema: `making` while its tables are being created, `added`
 * when it is complete but not used yet. A cell without a mark is in use.
 */
export type CellMark = 'making' | 'added';

const PREFIX = 'Parley: a cell that is ';

/** Marks by the names of their cells. */
export async function listMarks(client: pg.Client): Promise<Map<string, CellMark>> {
  const { rows } = await client.query<{ name: string; mark: CellMark }>(
    `select nspname as name, substr(text, length($1) + 1) as mark
     from pg_namespace, obj_description(oid, 'pg_namespace') as text
     where nspname ~ '^p[0-9]{2}$' and starts_with(text, $1)`,
    [PREFIX],
  );
  return new Map(rows.map(({ name, mark }) => [name, mark]));
}

/** `mark`: undefined removes the mark. `name`: the cell's. */
export async function setMark(client: pg.Client, name: string, mark: CellMark | undefined): Promise<void> {
  await client.query(`comment on schema ${name} is ${mark === undefined ? 'null' : `'${PREFIX}${mark}'`}`);
}
