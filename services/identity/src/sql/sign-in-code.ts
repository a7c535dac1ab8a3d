import type { Sql } from '@parley/kit/postgres';

export async function insertSignInCode(sql: Sql, hash: Buffer, expiresAt: number): Promise<void> {
  await sql.execute({
    text: `insert into sign_in_code (hash, expires_at) values ($1, to_timestamp($2 / 1000.0))`,
    values: [hash, expiresAt],
  });
}

/** Deletes a code, so that it is taken once; false if there is none that holds at `now`. */
export async function takeSignInCode(sql: Sql, hash: Buffer, now: number): Promise<boolean> {
  const deleted = await sql.execute({
    text: `delete from sign_in_code where hash = $1 and expires_at > to_timestamp($2 / 1000.0)`,
    values: [hash, now],
  });
  return deleted > 0;
}

/** Deletes at most `limit` codes that expired before a time; returns how many. */
export function deleteSignInCodesBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from sign_in_code where hash = any (array(
        select hash from sign_in_code where expires_at < to_timestamp($1 / 1000.0) order by expires_at limit $2))`,
    values: [time, limit],
  });
}
