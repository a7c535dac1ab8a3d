import type { Sql } from '@parley/kit/postgres';

/**
 * Records the use of a nonce; false if it was used before. A second use waits until the first has committed or rolled
 * back.
 */
export async function insertUsedNonce(sql: Sql, hash: Buffer, expiresAt: number): Promise<boolean> {
  const inserted = await sql.execute({
    name: 'insert_used_nonce',
    text: `insert into used_nonce (hash, expires_at) values ($1, to_timestamp($2 / 1000.0)) on conflict do nothing`,
    values: [hash, expiresAt],
  });
  return inserted > 0;
}

export async function isNonceUsed(sql: Sql, hash: Buffer): Promise<boolean> {
  const rows = await sql.query({
    name: 'find_used_nonce',
    text: `select from used_nonce where hash = $1`,
    values: [hash],
  });
  return rows.length > 0;
}

/** Deletes at most `limit` nonces that expired before a time; returns how many. */
export function deleteUsedNoncesBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from used_nonce where hash = any (array(
        select hash from used_nonce where expires_at < to_timestamp($1 / 1000.0) order by expires_at limit $2))`,
    values: [time, limit],
  });
}
