import type { Sql } from '@parley/kit/postgres';
import type { KeyPadding } from '@parley/proto/parley/export/v1/export_pb';

export type ExportKeyRow = { public_key: string; padding: KeyPadding };

export async function upsertExportKey(
  sql: Sql,
  key: { appId: string; publicKey: string; padding: KeyPadding; at: number },
): Promise<void> {
  await sql.execute({
    name: 'upsert_export_key',
    text: `
      insert into export_key (app_id, public_key, padding, registered_at)
      values ($1, $2, $3, to_timestamp($4::float8 / 1000))
      on conflict (app_id) do update
      set public_key = excluded.public_key, padding = excluded.padding, registered_at = excluded.registered_at`,
    values: [key.appId, key.publicKey, key.padding, key.at],
  });
}

export async function findExportKey(sql: Sql, appId: string): Promise<ExportKeyRow | undefined> {
  const [row] = await sql.query<ExportKeyRow>({
    name: 'find_export_key',
    text: 'select public_key, padding from export_key where app_id = $1',
    values: [appId],
  });
  return row;
}
