import type { Sql } from '@parley/kit/postgres';

/** Adds bytes that keys of an application take to those of an hour, by its beginning. */
export async function addUsage(
  sql: Sql,
  { appId, hour, bytes }: { appId: string; hour: number; bytes: number },
): Promise<void> {
  await sql.execute({
    name: 'add_idempotency_usage',
    text: `
      insert into idempotency_usage as u (app_id, hour, bytes) values ($1, to_timestamp($2::float8 / 1000), $3)
      on conflict (app_id, hour) do update set bytes = u.bytes + excluded.bytes`,
    values: [appId, hour, bytes],
  });
}

/** Bytes of the keys of an application since an hour. */
export async function sumUsage(sql: Sql, appId: string, since: number): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>({
    name: 'sum_idempotency_usage',
    text: `
      select coalesce(sum(bytes), 0)::float8 as bytes from idempotency_usage
      where app_id = $1 and hour >= to_timestamp($2::float8 / 1000)`,
    values: [appId, since],
  });
  return row?.bytes ?? 0;
}

/** Deletes at most `limit` rows; returns how many. */
export function deleteUsageBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from idempotency_usage where (app_id, hour) in (
        select app_id, hour from idempotency_usage where hour < to_timestamp($1::float8 / 1000) order by hour limit $2)`,
    values: [time, limit],
  });
}
