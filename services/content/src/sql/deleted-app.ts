import type { Sql } from '@parley/kit/postgres';
import { status } from './content.ts';

export async function insertDeletedApp(
  sql: Sql,
  { appId, at }: { appId: string; at: number },
): Promise<void> {
  await sql.execute({
    text: `
      insert into deleted_app (app_id, heard_at) values ($1, to_timestamp($2 / 1000.0)) on conflict do nothing`,
    values: [appId, at],
  });
}

/** Those that were heard of before that time. */
export async function listDeletedApps(sql: Sql, before: number): Promise<string[]> {
  const rows = await sql.query<{ app_id: string }>({
    text: 'select app_id from deleted_app where heard_at <= to_timestamp($1 / 1000.0) order by heard_at',
    values: [before],
  });
  return rows.map(({ app_id }) => app_id);
}

export async function forgetDeletedApp(sql: Sql, appId: string): Promise<void> {
  await sql.execute({ text: 'delete from deleted_app where app_id = $1', values: [appId] });
}

/** Ends the next uploads and contents of an app, at most `limit`, and gives their ids, the last one last. */
export async function endContentOfApp(
  sql: Sql,
  { appId, after, at, limit }: { appId: string; after: string; at: number; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      with chosen as (
        select id from content where app_id = $1 and id > $2 and status <= ${status.uploaded}
        order by id limit $4 for no key update
      )
      update content set
        status = case status when ${status.uploading} then ${status.cancelled} else ${status.released} end,
        ended_at = to_timestamp($3 / 1000.0)
      from chosen where content.app_id = $1 and content.id = chosen.id
      returning content.id`,
    values: [appId, after, at, limit],
  });
  return rows.map(({ id }) => id).sort();
}

/** Deletes at most so many; says how many. */
export function deleteReferencesOfApp(sql: Sql, appId: string, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content_reference where ctid = any (array(
        select ctid from content_reference where app_id = $1 limit $2))`,
    values: [appId, limit],
  });
}

/** Deletes at most so many; says how many. */
export function deleteMessagesOfApp(sql: Sql, appId: string, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content_message where ctid = any (array(
        select ctid from content_message where app_id = $1 limit $2))`,
    values: [appId, limit],
  });
}
