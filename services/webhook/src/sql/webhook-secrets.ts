import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';

export type SealedSecrets = { app_id: string; id: string; secrets: Buffer };

type Page = { head: Buffer; after: SealedSecrets | undefined; limit: number };

/** Webhooks whose sealed secrets do not begin with `head`, by application and id. */
export function listSealedOtherwise(sql: Sql, { head, after, limit }: Page): Promise<SealedSecrets[]> {
  return sql.query<SealedSecrets>({
    name: 'list_sealed_otherwise',
    text: `
      select app_id, id, secrets from webhook
      where (app_id, id) > ($1::uuid, $2::uuid) and substring(secrets from 1 for length($3::bytea)) <> $3
      order by app_id, id limit $4`,
    values: [after?.app_id ?? NIL_UUID, after?.id ?? NIL_UUID, head, limit],
  });
}

/** Replaces sealed secrets, unless they have changed. */
export async function replaceSecrets(
  sql: Sql,
  { app_id: appId, id, secrets }: SealedSecrets,
  resealed: Buffer,
): Promise<void> {
  await sql.execute({
    name: 'replace_secrets',
    text: 'update webhook set secrets = $4 where app_id = $1 and id = $2 and secrets = $3',
    values: [appId, id, secrets, resealed],
  });
}
