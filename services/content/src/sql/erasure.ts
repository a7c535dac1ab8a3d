import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';
import { STATUS } from './content.ts';

/** A user to erase: content and messages of incarnations before `version`. */
export type Erasure = Leased & { user_id: string; version: number };

export const erasureQueue = createWorkQueue<Erasure>({
  table: 'erasure',
  key: ['app_id', 'user_id'],
  columns: ['version'],
  mutable: ['version'],
  order: ['erased_at', 'user_id'],
});

export type NewErasure = { userId: string; version: number };

/** Queues erasures. A repeated or late one erases nothing new: a user who came back has a later incarnation. */
export async function insertErasures(sql: Sql, appId: string, users: readonly NewErasure[]): Promise<void> {
  await sql.execute({
    text: `
      insert into erasure (app_id, user_id, version)
      select $1::uuid, user_id, max(version) from unnest($2::text[], $3::float8[]) as erased (user_id, version)
      group by user_id order by user_id
      on conflict (app_id, user_id) do update set version = greatest(erasure.version, excluded.version)`,
    values: [appId, users.map(({ userId }) => userId), users.map(({ version }) => version)],
  });
}

/** Ids of the next messages of a user's earlier incarnations that are not marked as deleted yet. */
export async function listMessagesToErase(
  sql: Sql,
  { app_id, user_id, version }: Erasure,
  limit: number,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      select id from content_message
      where app_id = $1 and sender_id = $2 and deleted_at is null and coalesce(incarnation, 0) < $3
      order by app_id, sender_id, id limit $4`,
    values: [app_id, user_id, version, limit],
  });
  return rows.map(({ id }) => id);
}

/**
 * Ends the next uploads and contents of a user's earlier incarnations; returns how many. Unfinished uploads are cancelled;
 * uploaded content stays while messages of other users refer to it.
 */
export function eraseContent(
  sql: Sql,
  { app_id, user_id, version }: Erasure,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  return sql.execute({
    text: `
      with chosen as (
        select id from content
        where app_id = $1 and user_id = $2 and coalesce(incarnation, 0) < $3
          and (status = ${STATUS.uploading} or status = ${STATUS.uploaded} and unreferenced_since is not null)
        order by id limit $5 for no key update
      )
      update content set
        status = case status when ${STATUS.uploading} then ${STATUS.cancelled} else ${STATUS.released} end,
        ended_at = to_timestamp($4::float8 / 1000)
      from chosen where content.app_id = $1 and content.id = chosen.id`,
    values: [app_id, user_id, version, at, limit],
  });
}
