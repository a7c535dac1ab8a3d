import type { Sql, Tx } from '@parley/kit/postgres';

/** Those among the users who block one of them. */
export async function listBlockers(
  sql: Sql,
  {
    app_id,
    blocked_user_id,
    user_ids,
  }: { app_id: string; blocked_user_id: string; user_ids: readonly string[] },
): Promise<string[]> {
  const rows = await sql.query<{ owner_user_id: string }>({
    name: 'list_blockers',
    text: `
      select owner_user_id from block_copy
      where app_id = $1 and blocked_user_id = $2 and owner_user_id = any($3::text[]) and owner_user_id <> $2`,
    values: [app_id, blocked_user_id, user_ids],
  });
  return rows.map((row) => row.owner_user_id);
}

export type BlockCopy = {
  app_id: string;
  blocked_user_id: string;
  owner_user_id: string;
  active: boolean;
  version: number;
};

/** An older version than the one that is there changes nothing. */
export async function upsertBlockCopy(tx: Tx, copy: BlockCopy): Promise<void> {
  const key = [copy.app_id, copy.blocked_user_id, copy.owner_user_id];
  const isNews = await tx.execute({
    name: 'upsert_block_version',
    text: `
      insert into block_version as known (app_id, blocked_user_id, owner_user_id, version)
      values ($1, $2, $3, $4)
      on conflict (app_id, blocked_user_id, owner_user_id) do update
      set version = excluded.version where excluded.version > known.version`,
    values: [...key, copy.version],
  });
  if (isNews === 0) return;
  await tx.execute({
    name: copy.active ? 'insert_block_copy' : 'delete_block_copy',
    text: copy.active
      ? `
      insert into block_copy (app_id, blocked_user_id, owner_user_id) values ($1, $2, $3)
      on conflict do nothing`
      : `
      delete from block_copy where app_id = $1 and blocked_user_id = $2 and owner_user_id = $3`,
    values: key,
  });
}

/** Blocks by a user, and of them. */
export async function deleteBlockCopies(
  sql: Sql,
  { app_id, user_id }: { app_id: string; user_id: string },
): Promise<void> {
  for (const table of ['block_copy', 'block_version']) {
    await sql.execute({
      text: `delete from ${table} where app_id = $1 and (blocked_user_id = $2 or owner_user_id = $2)`,
      values: [app_id, user_id],
    });
  }
}
