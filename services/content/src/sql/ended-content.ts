import type { Sql } from '@parley/kit/postgres';
import type { Turn } from './turn.ts';
import { STATUS } from './content.ts';

/** SQL: sets a final status at the time `$1`. */
function endedAs(status: number): string {
  return `status = ${status}, ended_at = to_timestamp($1 / 1000.0)`;
}

/** Ends at most `limit` uploads that began before a time; returns how many. */
export function expireUploads(
  sql: Sql,
  { now, createdBefore, limit }: { now: number; createdBefore: number; limit: number },
): Promise<number> {
  return sql.execute({
    text: `
      with chosen as (
        select app_id, id from content
        where status = ${STATUS.uploading} and created_at < to_timestamp($2 / 1000.0)
        order by created_at limit $3 for update skip locked
      )
      update content set ${endedAs(STATUS.expired)}
      from chosen where content.app_id = chosen.app_id and content.id = chosen.id`,
    values: [now, createdBefore, limit],
  });
}

/** Ends at most `limit` contents that no message has referred to since before a time; returns how many. */
export function collectUnreferenced(
  sql: Sql,
  { now, since, limit }: { now: number; since: number; limit: number },
): Promise<number> {
  return sql.execute({
    text: `
      with chosen as (
        select app_id, id from content
        where status = ${STATUS.uploaded} and unreferenced_since < to_timestamp($2 / 1000.0)
        order by unreferenced_since limit $3 for update skip locked
      )
      update content set ${endedAs(STATUS.released)}
      from chosen where content.app_id = chosen.app_id and content.id = chosen.id`,
    values: [now, since, limit],
  });
}

export type EndedContent = { app_id: string; id: string };

/** SQL: contents that have ended and are still in the store. */
const TO_PURGE = `status > ${STATUS.uploaded} and purged_at is null`;

/** Contents to remove from the store, in turn by application, except those that a writer may be appending to. */
export function listContentToPurge(
  sql: Sql,
  { after, now, share, limit }: Turn & { now: number },
): Promise<EndedContent[]> {
  return sql.query<EndedContent>({
    text: `
      with recursive app as (
        (select app_id from content where ${TO_PURGE} and app_id > $1::uuid order by app_id limit 1)
        union all
        select next.app_id from app cross join lateral (
          select app_id from content where ${TO_PURGE} and app_id > app.app_id order by app_id limit 1) next
      )
      select item.app_id, item.id from app cross join lateral (
        select app_id, id from content
        where ${TO_PURGE} and app_id = app.app_id and purge_due_at <= to_timestamp($2::float8 / 1000)
          and (lease_id is null or lease_until < clock_timestamp())
        order by app_id, purge_due_at, ended_at limit $3) item
      limit $4`,
    values: [after, now, share, limit],
  });
}

/** Postpones the removal of a content from the store: by one second, then twice as long each time, up to ten minutes. */
export async function postponePurge(sql: Sql, { app_id, id }: EndedContent, now: number): Promise<void> {
  await sql.execute({
    text: `
      update content set purge_attempts = purge_attempts + 1,
        purge_due_at = to_timestamp(($3::float8 + least(1000 * power(2, least(purge_attempts, 16)), 600000)) / 1000)
      where app_id = $1 and id = $2`,
    values: [app_id, id, now],
  });
}

/** Records that a content has been removed from the store, and deletes its list of parts. */
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

/**
 * Deletes at most `limit` records of contents that were removed from the store before a time; returns how many. One that is still counted
 * stays until it no longer is.
 */
export function deletePurgedBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from content where (app_id, id) in (
        select app_id, id from content where purged_at < to_timestamp($1 / 1000.0) and not counted limit $2)`,
    values: [time, limit],
  });
}
