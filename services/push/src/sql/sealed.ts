import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';

/** A sealed key of an application: its VAPID key, where `provider` is empty, or credentials. */
export type SealedRow = { app_id: string; provider: string; sealed: Uint8Array };

type Page = { head: Buffer; after: SealedRow | undefined; limit: number };

/** Keys whose sealed form does not begin with `head`, by application and provider. */
export function listSealedOtherwise(sql: Sql, { head, after, limit }: Page): Promise<SealedRow[]> {
  return sql.query<SealedRow>({
    name: 'list_sealed_otherwise',
    text: `
      select app_id, provider, sealed from (
        select app_id, '' as provider, private_key as sealed from vapid_key
        union all
        select app_id, provider, sealed from credentials) key
      where substring(sealed from 1 for length($3::bytea)) <> $3 and (app_id, provider) > ($1::uuid, $2)
      order by app_id, provider limit $4`,
    values: [after?.app_id ?? NIL_UUID, after?.provider ?? '', head, limit],
  });
}

/** Replaces a sealed key, unless it has changed. */
export async function replaceSealed(
  sql: Sql,
  { app_id: appId, provider, sealed }: SealedRow,
  resealed: Buffer,
): Promise<void> {
  const statement =
    provider === ''
      ? { name: 'replace_vapid_key', table: 'vapid_key', column: 'private_key', where: "$2 = ''" }
      : { name: 'replace_credentials', table: 'credentials', column: 'sealed', where: 'provider = $2' };
  const { name, table, column, where } = statement;
  await sql.execute({
    name,
    text: `
      update ${table} set ${column} = $4
      where app_id = $1 and ${where} and ${column} = $3`,
    values: [appId, provider, sealed, resealed],
  });
}
