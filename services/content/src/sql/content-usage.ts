import type { Sql } from '@parley/kit/postgres';
import { STATUS } from './content.ts';
import type { Turn } from './turn.ts';

/** Stands for the whole application in the place of a user, whose id is never empty. */
const WHOLE_APP = '';

/** SQL: an upload under way, or a content to which no message refers. */
const COUNTS = `status = ${STATUS.uploading} or status = ${STATUS.uploaded} and unreferenced_since is not null`;
/** SQL: the condition of the index content_to_count. */
const UNSETTLED = `counted <> (${COUNTS})`;

/** Serializes transactions that count contents of an application; after `lockUploadsOfUser`. */
export async function lockUsage(sql: Sql, appId: string): Promise<void> {
  await sql.execute({
    text: `select pg_advisory_xact_lock(hashtextextended($1, 2))`,
    values: [appId],
  });
}

/**
 * Counts at most `limit` contents of an application as what they have become, whoever changed them; returns how many. The usage is locked.
 * Contents that another transaction changes at this moment wait for the next time.
 */
export async function settleUsage(sql: Sql, appId: string, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    text: `
      with chosen as (
        select id from content where app_id = $1 and ${UNSETTLED} order by id limit $2 for no key update skip locked
      ), settled as (
        update content set counted = not counted from chosen where content.app_id = $1 and content.id = chosen.id
        returning content.user_id, case when content.counted then content.size else -content.size end as bytes
      ), added as (
        insert into content_usage (app_id, user_id, bytes)
        select $1, user_id, sum(bytes) from settled where user_id is not null group by user_id
        union all select $1, '${WHOLE_APP}', sum(bytes) from settled having count(*) > 0
        on conflict (app_id, user_id) do update set bytes = content_usage.bytes + excluded.bytes
      )
      select count(*) from settled`,
    values: [appId, limit],
  });
  return row?.count ?? 0;
}

/** Adds the bytes of an upload that begins, which is counted. The usage is locked. */
export async function addUsage(
  sql: Sql,
  { appId, userId, bytes }: { appId: string; userId: string; bytes: number },
): Promise<void> {
  await sql.execute({
    text: `
      insert into content_usage (app_id, user_id, bytes)
      select $1, user_id, $3 from unnest($2::text[]) as counted (user_id)
      on conflict (app_id, user_id) do update set bytes = content_usage.bytes + excluded.bytes`,
    values: [appId, userId === '' ? [WHOLE_APP] : [WHOLE_APP, userId], bytes],
  });
}

export type Usage = { app: number; user: number };

/** The bytes that count for an application and for a user; none for no user. */
export async function getUsage(sql: Sql, appId: string, userId: string): Promise<Usage> {
  const rows = await sql.query<{ user_id: string; bytes: number }>({
    text: `select user_id, bytes from content_usage where app_id = $1 and user_id = any ($2::text[])`,
    values: [appId, [WHOLE_APP, userId]],
  });
  const of = (wanted: string) => rows.find(({ user_id }) => user_id === wanted)?.bytes ?? 0;
  return { app: of(WHOLE_APP), user: userId === '' ? 0 : of(userId) };
}

/** Deletes at most `limit` rows for which nothing counts, of any application; returns how many. */
export function deleteEmptyUsage(sql: Sql, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content_usage where bytes = 0 and (app_id, user_id) in (
        select app_id, user_id from content_usage where bytes = 0 limit $1)`,
    values: [limit],
  });
}

/** Applications with contents to settle, in turn. */
export function listAppsToSettle(sql: Sql, { after, limit }: Turn): Promise<{ app_id: string }[]> {
  return sql.query<{ app_id: string }>({
    text: `
      with recursive app as (
        (select app_id from content where ${UNSETTLED} and app_id > $1::uuid order by app_id limit 1)
        union all
        select next.app_id from app cross join lateral (
          select app_id from content where ${UNSETTLED} and app_id > app.app_id order by app_id limit 1) next
      )
      select app_id from app limit $2`,
    values: [after, limit],
  });
}
