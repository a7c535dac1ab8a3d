import type { Sql } from '@parley/kit/postgres';

/** The time up to which the change log was dropped, in milliseconds; -Infinity when nothing was dropped. */
export async function findHorizon(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ dropped_until: number }>({
    name: 'find_horizon',
    text: 'select dropped_until from change_horizon',
  });
  return row?.dropped_until ?? -Infinity;
}

export async function moveHorizon(sql: Sql, until: number): Promise<void> {
  await sql.execute({
    text: 'update change_horizon set dropped_until = greatest(dropped_until, to_timestamp($1::float8 / 1000))',
    values: [until],
  });
}
