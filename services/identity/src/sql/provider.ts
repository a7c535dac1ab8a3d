import type { Sql } from '@parley/kit/postgres';
import { insertedRow } from './inserted-row.ts';

export type ProviderRow = { id: string; app_uuid: string; name: string; created_at: number };

const COLUMNS = `provider.id, provider.app_id as app_uuid, provider.name, provider.created_at`;
const IS_ALIVE = `provider.deleted_at is null and app.deleted_at is null`;

export type NewProvider = { id: string; appId: string; name: string; createdAt: number };

export async function insertProvider(sql: Sql, provider: NewProvider): Promise<ProviderRow> {
  return insertedRow(
    await sql.query<ProviderRow>({
      text: `
        insert into provider (id, app_id, name, created_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
        returning ${COLUMNS}`,
      values: [provider.id, provider.appId, provider.name, provider.createdAt],
    }),
  );
}

/** Undefined also if the application is deleted. */
export async function findProvider(sql: Sql, providerId: string): Promise<ProviderRow | undefined> {
  const [row] = await sql.query<ProviderRow>({
    text: `
      select ${COLUMNS} from provider join app on app.id = provider.app_id
      where provider.id = $1 and ${IS_ALIVE}`,
    values: [providerId],
  });
  return row;
}

export function listProviders(sql: Sql, appId: string): Promise<ProviderRow[]> {
  return sql.query<ProviderRow>({
    text: `
      select ${COLUMNS} from provider join app on app.id = provider.app_id
      where provider.app_id = $1 and ${IS_ALIVE} order by provider.id`,
    values: [appId],
  });
}

/** Returns whether that changed anything. */
export async function markProviderDeleted(sql: Sql, providerId: string, now: number): Promise<boolean> {
  const changed = await sql.execute({
    text: `update provider set deleted_at = to_timestamp($2 / 1000.0) where id = $1 and deleted_at is null`,
    values: [providerId, now],
  });
  return changed > 0;
}
