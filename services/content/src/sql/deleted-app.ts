import type { Sql } from '@parley/kit/postgres';
import { createWorkQueue, type Leased } from '@parley/kit/durable/work/queue';
import { STATUS } from './content.ts';

/** A deleted application whose content has to end, so that the bytes are removed from the store. */
export type AppContentRemoval = Leased & {
  /** All content of the application up to this id has ended. */
  ended_until: string;
};

export const appContentRemovalQueue = createWorkQueue<AppContentRemoval>({
  table: 'deleted_app',
  key: ['app_id'],
  columns: ['ended_until'],
  order: [],
});

/** Queues the removal of a deleted application's content from `dueAt` on. */
export async function queueAppContentRemoval(
  sql: Sql,
  { appId, at, dueAt }: { appId: string; at: number; dueAt: number },
): Promise<void> {
  await sql.execute({
    text: `
      insert into deleted_app (app_id, heard_at, due_at)
      values ($1, to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000)) on conflict do nothing`,
    values: [appId, at, dueAt],
  });
}

/** Remembers that all content up to an id has ended. */
export async function advanceAppContentRemoval(sql: Sql, appId: string, endedUntil: string): Promise<void> {
  await sql.execute({
    text: 'update deleted_app set ended_until = $2 where app_id = $1',
    values: [appId, endedUntil],
  });
}

/** Ends the next uploads and contents of an application, at most `limit`; returns their ids in order. */
export async function endContentOfApp(
  sql: Sql,
  { appId, after, at, limit }: { appId: string; after: string; at: number; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      with chosen as (
        select id from content where app_id = $1 and id > $2 and status <= ${STATUS.uploaded}
        order by id limit $4 for no key update
      )
      update content set
        status = case status when ${STATUS.uploading} then ${STATUS.cancelled} else ${STATUS.released} end,
        ended_at = to_timestamp($3 / 1000.0)
      from chosen where content.app_id = $1 and content.id = chosen.id
      returning content.id`,
    values: [appId, after, at, limit],
  });
  return rows.map(({ id }) => id).sort();
}

/** Whether content of an application has yet to end, or to be removed from the store. */
export async function hasContent(sql: Sql, appId: string): Promise<boolean> {
  const [row] = await sql.query<{ has_content: boolean }>({
    text: `
      select exists (select from deleted_app where app_id = $1)
        or exists (select from content where app_id = $1) as has_content`,
    values: [appId],
  });
  return row?.has_content ?? false;
}
