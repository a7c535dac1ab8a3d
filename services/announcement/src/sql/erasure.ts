import type { Sql } from '@parley/kit/postgres';
import type { Recipient } from './received.ts';

export async function insertErasure(sql: Sql, { appId, userId }: Recipient): Promise<void> {
  await sql.execute({
    text: `insert into erasure (app_id, user_id) values ($1, $2) on conflict do nothing`,
    values: [appId, userId],
  });
}

/** Somebody who is to be erased, whom nobody else works on until the end of the transaction. */
export async function takeErasure(sql: Sql): Promise<Recipient | undefined> {
  const [row] = await sql.query<{ app_id: string; user_id: string }>({
    text: `select app_id, user_id from erasure order by requested_at limit 1 for update skip locked`,
  });
  return row && { appId: row.app_id, userId: row.user_id };
}

export async function deleteErasure(sql: Sql, { appId, userId }: Recipient): Promise<void> {
  await sql.execute({
    text: `delete from erasure where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
}

/** At most so many of what a user received; says how many. */
export function deleteReceivedBy(sql: Sql, { appId, userId }: Recipient, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from received where app_id = $1 and user_id = $2 and position in (
        select position from received where app_id = $1 and user_id = $2 limit $3)`,
    values: [appId, userId, limit],
  });
}

export async function deleteInbox(sql: Sql, { appId, userId }: Recipient): Promise<void> {
  await sql.execute({
    text: `delete from inbox where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
}

/** Takes withdrawn announcements of a sender from some who have them; gives who lost what. */
export function takeBack(
  sql: Sql,
  sender: Recipient & { now: number; limit: number },
): Promise<{ announcement_id: string; user_id: string }[]> {
  return sql.query({
    text: `
      with lost as (
        select r.app_id, r.user_id, r.position, r.announcement_id, r.read_at is null as unread
        from announcement a join received r on r.app_id = a.app_id and r.announcement_id = a.id
        where a.app_id = $1 and a.sender_id = $2 and a.deleted_at is not null and r.deleted_at is null
        order by r.user_id, r.position limit $4 for no key update of r
      ), marked as (
        update received r
        set deleted_at = to_timestamp($3::float8 / 1000), changed_at = to_timestamp($3::float8 / 1000)
        from lost where r.app_id = lost.app_id and r.user_id = lost.user_id and r.position = lost.position
      ), counted as (
        update inbox i set listed = i.listed - gone.listed, unread = i.unread - gone.unread
        from (select app_id, user_id, count(*) as listed, count(*) filter (where unread) as unread
          from lost group by app_id, user_id) as gone
        where i.app_id = gone.app_id and i.user_id = gone.user_id
      )
      select announcement_id, user_id from lost`,
    values: [sender.appId, sender.userId, sender.now, sender.limit],
  });
}
