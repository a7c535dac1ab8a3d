import type { JsonObject } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import type { NativeProvider } from '../provider/route.ts';

export type CredentialsKey = { appId: string; provider: NativeProvider };

export type CredentialsRow = {
  provider: NativeProvider;
  shown: JsonObject;
  sealed: Uint8Array;
  updated_at: number;
};

/** Stores credentials, unless the application is deleted: false then. */
export async function upsertCredentials(
  sql: Sql,
  { appId, provider }: CredentialsKey,
  stored: { shown: JsonObject; sealed: Uint8Array; now: number },
): Promise<boolean> {
  const changed = await sql.execute({
    text: `
      insert into credentials (app_id, provider, shown, sealed, updated_at)
      select $1, $2, $3::json, $4, to_timestamp($5::float8 / 1000)
      where not exists (select from app_tombstone where app_id = $1)
      on conflict (app_id, provider) do update
      set shown = excluded.shown, sealed = excluded.sealed, updated_at = excluded.updated_at`,
    values: [appId, provider, JSON.stringify(stored.shown), stored.sealed, stored.now],
  });
  return changed > 0;
}

/** All credentials of an application. */
export function listCredentials(sql: Sql, appId: string): Promise<CredentialsRow[]> {
  return sql.query<CredentialsRow>({
    name: 'list_credentials',
    text: `
      select provider, shown, sealed, updated_at from credentials where app_id = $1 order by provider`,
    values: [appId],
  });
}

export async function deleteCredentials(sql: Sql, { appId, provider }: CredentialsKey): Promise<void> {
  await sql.execute({
    text: 'delete from credentials where app_id = $1 and provider = $2',
    values: [appId, provider],
  });
}

/** The providers by which each of the applications can send, as `<app id> <provider>`. */
export async function listProviders(sql: Sql, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ app_id: string; provider: string }>({
    name: 'list_providers',
    text: 'select app_id, provider from credentials where app_id = any ($1::uuid[])',
    values: [appIds],
  });
  return new Set(rows.map(({ app_id, provider }) => `${app_id} ${provider}`));
}
