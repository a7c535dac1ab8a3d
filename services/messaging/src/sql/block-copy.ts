import type { Sql, Tx } from '@parley/kit/postgres';
import { compareKeys } from '../keys.ts';
import { column } from './statement.ts';

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

/** In the order of their keys; one that is not newer than what is there changes nothing. */
export async function upsertBlockCopies(tx: Tx, copies: readonly BlockCopy[]): Promise<void> {
  const newest = new Map<string, BlockCopy>();
  for (const copy of copies) {
    const key = keyOf(copy);
    if (copy.version > (newest.get(key)?.version ?? 0)) newest.set(key, copy);
  }
  if (newest.size === 0) return;
  const rows = [...newest].sort(([one], [other]) => compareKeys(one, other)).map(([, copy]) => copy);
  const news = new Set((await upsertVersions(tx, rows)).map(keyOf));
  const isNews = (copy: BlockCopy): boolean => news.has(keyOf(copy));
  await insertPairs(tx, rows.filter((copy) => isNews(copy) && copy.active)); // prettier-ignore
  await deletePairs(tx, rows.filter((copy) => isNews(copy) && !copy.active)); // prettier-ignore
}

type Pair = Pick<BlockCopy, 'app_id' | 'blocked_user_id' | 'owner_user_id'>;

function keyOf({ app_id, blocked_user_id, owner_user_id }: Pair): string {
  return JSON.stringify([app_id, blocked_user_id, owner_user_id]);
}

function columnsOf(pairs: readonly Pair[]): unknown[] {
  return [column(pairs, 'app_id'), column(pairs, 'blocked_user_id'), column(pairs, 'owner_user_id')];
}

/** Locks the pairs; gives those whose version is newer than what was there. */
function upsertVersions(tx: Tx, rows: readonly BlockCopy[]): Promise<Pair[]> {
  return tx.query<Pair>({
    name: 'upsert_block_versions',
    text: `
      insert into block_version as known (app_id, blocked_user_id, owner_user_id, version)
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[])
      on conflict (app_id, blocked_user_id, owner_user_id) do update
      set version = excluded.version where excluded.version > known.version
      returning app_id, blocked_user_id, owner_user_id`,
    values: [...columnsOf(rows), column(rows, 'version')],
  });
}

async function insertPairs(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.execute({
    name: 'insert_block_copies',
    text: `
      insert into block_copy (app_id, blocked_user_id, owner_user_id)
      select * from unnest($1::uuid[], $2::text[], $3::text[])
      on conflict do nothing`,
    values: columnsOf(pairs),
  });
}

async function deletePairs(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.execute({
    name: 'delete_block_copies',
    text: `
      delete from block_copy b
      using unnest($1::uuid[], $2::text[], $3::text[]) as gone (app_id, blocked_user_id, owner_user_id)
      where b.app_id = gone.app_id and b.blocked_user_id = gone.blocked_user_id
        and b.owner_user_id = gone.owner_user_id`,
    values: columnsOf(pairs),
  });
}

/** Before blocks of erased users are deleted, which is in no order of keys: no other transaction changes blocks meanwhile. */
export async function lockBlockCopies(tx: Tx): Promise<void> {
  await tx.execute({ text: 'lock table block_version, block_copy in share row exclusive mode' });
}

/** Blocks by a user, and of them; to be called while they are locked. */
export async function deleteBlockCopies(
  sql: Sql,
  { app_id, user_id }: { app_id: string; user_id: string },
): Promise<void> {
  for (const table of ['block_version', 'block_copy']) {
    await sql.execute({
      text: `delete from ${table} where app_id = $1 and (blocked_user_id = $2 or owner_user_id = $2)`,
      values: [app_id, user_id],
    });
  }
}
