import type { Sql } from '@parley/kit/postgres';
import { status } from './content.ts';

// How uploads and content end, and what is left of them.

const endedAs = (status: number) => `status = ${status}, ended_at = to_timestamp($1 / 1000.0)`;

/** Ends at most `limit` uploads that began before that time. */
export function expireUploads(
  sql: Sql,
  { now, createdBefore, limit }: { now: number; createdBefore: number; limit: number },
): Promise<number> {
  return sql.execute({
    text: `
      update content set ${endedAs(status.expired)}
      where status = ${status.uploading} and (app_id, id) in (
        select app_id, id from content
        where status = ${status.uploading} and created_at < to_timestamp($2 / 1000.0)
        order by created_at limit $3 for update skip locked)`,
    values: [now, createdBefore, limit],
  });
}

/** Ends at most `limit` contents that no message has referred to since before that time. */
export function collectUnreferenced(
  sql: Sql,
  { now, since, limit }: { now: number; since: number; limit: number },
): Promise<number> {
  return sql.execute({
    text: `
      update content set ${endedAs(status.released)}
      where status = ${status.uploaded} and (app_id, id) in (
        select app_id, id from content
        where status = ${status.uploaded} and unreferenced_since < to_timestamp($2 / 1000.0)
        order by unreferenced_since limit $3 for update skip locked)`,
    values: [now, since, limit],
  });
}

/** The rows must be locked. Uploads under way are cancelled; what is uploaded is kept as far as messages of others refer to it. */
export async function endContentOfUsers(
  sql: Sql,
  { appId, userIds, at }: { appId: string; userIds: readonly string[]; at: number },
): Promise<void> {
  await sql.execute({
    text: `
      update content set
        status = case status when ${status.uploading} then ${status.cancelled} else ${status.released} end,
        ended_at = to_timestamp($3 / 1000.0)
      where app_id = $1 and user_id = any ($2::text[])
        and (status = ${status.uploading} or status = ${status.uploaded} and unreferenced_since is not null)`,
    values: [appId, userIds, at],
  });
}

export type EndedRow = { app_id: string; id: string };

/** What is over and still in the store; not while a writer may be at work on it. */
export function listToPurge(sql: Sql, limit: number): Promise<EndedRow[]> {
  return sql.query<EndedRow>({
    text: `
      select app_id, id from content
      where status > ${status.uploaded} and purged_at is null
        and (lease_id is null or lease_until < clock_timestamp())
      order by ended_at limit $1`,
    values: [limit],
  });
}

export async function markPurged(
  sql: Sql,
  { appId, id, at }: { appId: string; id: string; at: number },
): Promise<void> {
  await sql.execute({
    text: `
      with parts as (delete from content_part where app_id = $1 and content_id = $2)
      update content set purged_at = to_timestamp($3 / 1000.0) where app_id = $1 and id = $2`,
    values: [appId, id, at],
  });
}

export function forgetPurgedBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content where (app_id, id) in (
        select app_id, id from content where purged_at < to_timestamp($1 / 1000.0) limit $2)`,
    values: [time, limit],
  });
}
