import type { Sql } from '@parley/kit/postgres';
import { insertedRow } from './inserted-row.ts';

export type ProviderKeyRow = {
  id: string;
  provider_id: string;
  public_key: string;
  disabled: boolean;
  created_at: number;
};

const COLUMNS = `key.id, key.provider_id, key.public_key, key.disabled, key.created_at`;
const JOINED_TABLES = `
  provider_key as key join provider on provider.id = key.provider_id join app on app.id = provider.app_id`;
const IS_ALIVE = `key.deleted_at is null and provider.deleted_at is null and app.deleted_at is null`;

export type NewProviderKey = { id: string; providerId: string; publicKey: string; createdAt: number };

/** Stores a key that is enabled. */
export async function insertProviderKey(sql: Sql, key: NewProviderKey): Promise<ProviderKeyRow> {
  return insertedRow(
    await sql.query<ProviderKeyRow>({
      text: `
        insert into provider_key as key (id, provider_id, public_key, disabled, created_at)
        values ($1, $2, $3, false, to_timestamp($4 / 1000.0))
        returning ${COLUMNS}`,
      values: [key.id, key.providerId, key.publicKey, key.createdAt],
    }),
  );
}

/** A key with its application; undefined also if the provider or the application is deleted. */
export async function findProviderKey(
  sql: Sql,
  keyId: string,
): Promise<(ProviderKeyRow & { app_uuid: string }) | undefined> {
  const [row] = await sql.query<ProviderKeyRow & { app_uuid: string }>({
    text: `select ${COLUMNS}, provider.app_id as app_uuid from ${JOINED_TABLES} where key.id = $1 and ${IS_ALIVE}`,
    values: [keyId],
  });
  return row;
}

export function listProviderKeys(sql: Sql, providerId: string): Promise<ProviderKeyRow[]> {
  return sql.query<ProviderKeyRow>({
    text: `select ${COLUMNS} from ${JOINED_TABLES} where key.provider_id = $1 and ${IS_ALIVE} order by key.id`,
    values: [providerId],
  });
}

/** Returns whether that changed anything. */
export async function setProviderKeyDisabled(sql: Sql, keyId: string, disabled: boolean): Promise<boolean> {
  const changed = await sql.execute({
    text: `update provider_key set disabled = $2 where id = $1 and deleted_at is null and disabled <> $2`,
    values: [keyId, disabled],
  });
  return changed > 0;
}

/** Returns whether that changed anything. */
export async function markProviderKeyDeleted(sql: Sql, keyId: string, now: number): Promise<boolean> {
  const changed = await sql.execute({
    text: `update provider_key set deleted_at = to_timestamp($2 / 1000.0) where id = $1 and deleted_at is null`,
    values: [keyId, now],
  });
  return changed > 0;
}
