import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/work-queue';
import { status } from './content.ts';

export type Erasure = Leased & { user_id: string; erased_at: number };

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['erased_at'],
  order: ['erased_at', 'user_id'],
});

/** `at` is when the erasures were heard of: what a user does after that is not erased. */
export type NewErasures = { appId: string; userIds: readonly string[]; at: number };

export async function insertErasures(sql: Sql, { appId, userIds, at }: NewErasures): Promise<void> {
  await sql.execute({
    text: `
      insert into erasure (app_id, user_id, erased_at)
      select distinct $1::uuid, user_id, to_timestamp($3::float8 / 1000)
      from unnest($2::text[]) as erased (user_id) order by user_id
      on conflict (app_id, user_id) do update set erased_at = greatest(erasure.erased_at, excluded.erased_at)`,
    values: [appId, userIds, at],
  });
}

/** The next messages of an erased user that were claimed before the erasure and are not known to be deleted. */
export async function listMessagesToErase(
  sql: Sql,
  { app_id, user_id, erased_at }: Erasure,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      select id from content_message
      where app_id = $1 and sender_id = $2 and deleted_at is null and claimed_at <= to_timestamp($3::float8 / 1000)
      order by app_id, sender_id, id limit $4`,
    values: [app_id, user_id, erased_at, limit],
  });
  return rows.map(({ id }) => id);
}

/**
 * Ends the next uploads and contents of an erased user, and says how many. Uploads under way are cancelled; what is
 * uploaded is kept as far as messages of others refer to it.
 */
export function eraseContent(
  sql: Sql,
  { app_id, user_id, erased_at }: Erasure,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  return sql.execute({
    text: `
      with chosen as (
        select id from content
        where app_id = $1 and user_id = $2 and created_at <= to_timestamp($3::float8 / 1000)
          and (status = ${status.uploading} or status = ${status.uploaded} and unreferenced_since is not null)
        order by id limit $5 for no key update
      )
      update content set
        status = case status when ${status.uploading} then ${status.cancelled} else ${status.released} end,
        ended_at = to_timestamp($4::float8 / 1000)
      from chosen where content.app_id = $1 and content.id = chosen.id`,
    values: [app_id, user_id, erased_at, at, limit],
  });
}
