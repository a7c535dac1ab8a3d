import type { Sql } from '@parley/kit/postgres';

export type StatisticsRow = { apps: number; users: number; sessions: number };

/** Counts whole tables, so it takes time in proportion to them: for operators alone. */
export async function countStatistics(
  sql: Sql,
  appId: string | undefined,
  now: number,
): Promise<StatisticsRow> {
  const [row] = await sql.query<StatisticsRow>({
    text: `
      with alive as (select id from app where deleted_at is null and ($1::uuid is null or id = $1))
      select (select count(*) from alive) as apps,
        (select count(*) from identity where app_id in (select id from alive) and not deleted) as users,
        (select count(*) from session where app_id in (select id from alive)
          and expires_at > to_timestamp($2 / 1000.0)) as sessions`,
    values: [appId, now],
  });
  return row ?? { apps: 0, users: 0, sessions: 0 };
}
