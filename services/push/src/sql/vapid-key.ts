import type { Sql } from '@parley/kit/postgres';

export type VapidKeyRow = { public_key: string; private_key: Uint8Array };

export async function findVapidKey(sql: Sql, appId: string): Promise<VapidKeyRow | undefined> {
  const [row] = await sql.query<VapidKeyRow>({
    name: 'find_vapid_key',
    text: 'select public_key, private_key from vapid_key where app_id = $1',
    values: [appId],
  });
  return row;
}

/** Stores a key pair unless the application has one, or is deleted. */
export async function insertVapidKey(
  sql: Sql,
  { appId, publicKey, ...key }: { appId: string; publicKey: string; sealed: Uint8Array; now: number },
): Promise<void> {
  await sql.execute({
    text: `
      insert into vapid_key (app_id, public_key, private_key, created_at)
      select $1, $2, $3, to_timestamp($4::float8 / 1000)
      where not exists (select from app_tombstone where app_id = $1)
      on conflict do nothing`,
    values: [appId, publicKey, key.sealed, key.now],
  });
}
