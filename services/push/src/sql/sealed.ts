import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import type { Sealed } from '../key-ring.ts';

/** A sealed key of an application: its VAPID key, where `provider` is empty, or credentials. */
export type SealedRow = { app_id: string; provider: string; sealed: Uint8Array; sealed_with: string };

type Page = { keyId: string; after: SealedRow | undefined; limit: number };

/** What was sealed with another key than this one, by application and provider. */
export function listSealedOtherwise(sql: Sql, { keyId, after, limit }: Page): Promise<SealedRow[]> {
  return sql.query<SealedRow>({
    name: 'list_sealed_otherwise',
    text: `
      select app_id, provider, sealed, sealed_with from (
        select app_id, '' as provider, private_key as sealed, sealed_with from vapid_key
        union all
        select app_id, provider, sealed, sealed_with from credentials) key
      where sealed_with <> $3 and (app_id, provider) > ($1::uuid, $2)
      order by app_id, provider limit $4`,
    values: [after?.app_id ?? NIL_UUID, after?.provider ?? '', keyId, limit],
  });
}

/** Replaces a sealed key, unless it has changed. */
export async function replaceSealed(
  sql: Sql,
  { app_id: appId, provider, sealed }: SealedRow,
  by: Sealed,
): Promise<void> {
  const statement =
    provider === ''
      ? { name: 'replace_vapid_key', table: 'vapid_key', column: 'private_key', where: "$2 = ''" }
      : { name: 'replace_credentials', table: 'credentials', column: 'sealed', where: 'provider = $2' };
  const { name, table, column, where } = statement;
  await sql.execute({
    name,
    text: `
      update ${table} set ${column} = $4, sealed_with = $5
      where app_id = $1 and ${where} and ${column} = $3`,
    values: [appId, provider, sealed, by.sealed, by.keyId],
  });
}
