import type { Sql } from '@parley/kit/postgres';

/** The application that a token is sent to, and the key and the provider that the token names. */
export type SignerRow = {
  environment: string;
  suspended: boolean;
  session_ttl_in_seconds: number;
  allowed_origins: string[];
  key_id: string | null;
  key_provider_id: string | null;
  public_key: string | null;
  key_disabled: boolean | null;
  key_deleted: boolean | null;
  provider_id: string | null;
  provider_app_id: string | null;
};

/** Undefined if there is no such application. Deleted keys are answered, deleted providers are not. */
export async function findSigner(
  sql: Sql,
  ids: { appId: string; keyId: string | undefined; providerId: string | undefined },
): Promise<SignerRow | undefined> {
  const [row] = await sql.query<SignerRow>({
    name: 'find_signer',
    text: `
      select app.environment, app.suspended, app.session_ttl_in_seconds, app.allowed_origins,
        key.id as key_id, key.provider_id as key_provider_id, key.public_key,
        key.disabled as key_disabled, key.deleted_at is not null as key_deleted,
        provider.id as provider_id, provider.app_id as provider_app_id
      from app
      left join provider_key as key on key.id = $2
      left join provider on provider.id = $3 and provider.deleted_at is null
      where app.id = $1 and app.deleted_at is null`,
    values: [ids.appId, ids.keyId, ids.providerId],
  });
  return row;
}
