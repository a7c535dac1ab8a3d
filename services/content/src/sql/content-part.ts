import type { StoredPart } from '@parley/blobs/store';
import type { Sql } from '@parley/kit/postgres';
import { STATUS } from './content.ts';
import type { Lease } from './upload-lease.ts';

export type Commit = {
  lease: Lease;
  part: StoredPart;
  /** Offset at which the part begins: before `stored.before` when it replaces staged parts. */
  start: number;
  stored: { before: number; after: number };
  nextPart: number;
  at: number;
};

/** Commits the bytes of a part. False, and no change, when the lease was lost or the upload has ended. */
export async function commitPart(sql: Sql, commit: Commit): Promise<boolean> {
  const { lease, part, start, stored, nextPart, at } = commit;
  const committed = await sql.execute({
    name: 'commit_part',
    text: `
      with advanced as (
        update content set stored = $5, next_part = $6, active_at = to_timestamp($7 / 1000.0)
        where app_id = $1 and id = $2 and lease_id = $3 and stored = $4 and status = ${STATUS.uploading}
        returning app_id, id
      ), replaced as (
        delete from content_part using advanced
        where content_part.app_id = advanced.app_id and content_part.content_id = advanced.id
          and content_part.start > $8
      )
      insert into content_part (app_id, content_id, start, number, size, tag, staged)
      select app_id, id, $8, $9, $10, $11, $12 from advanced
      on conflict (app_id, content_id, start) do update set
        number = excluded.number, size = excluded.size, tag = excluded.tag, staged = excluded.staged`,
    values: [
      lease.appId,
      lease.id,
      lease.leaseId,
      stored.before,
      stored.after,
      nextPart,
      at,
      start,
      part.number,
      part.size,
      part.tag,
      part.staged,
    ],
  });
  return committed > 0;
}

/** All parts of an upload, in order. */
export function listParts(sql: Sql, content: { appId: string; id: string }): Promise<StoredPart[]> {
  return sql.query<StoredPart>({
    text: `
      select number, size, tag, staged from content_part where app_id = $1 and content_id = $2 order by start`,
    values: [content.appId, content.id],
  });
}

/** The staged parts of an upload, in order. */
export function listStagedParts(sql: Sql, content: { appId: string; id: string }): Promise<StoredPart[]> {
  return sql.query<StoredPart>({
    text: `
      select number, size, tag, staged from content_part
      where app_id = $1 and content_id = $2 and staged order by start`,
    values: [content.appId, content.id],
  });
}

/** Marks an upload as complete and deletes its list of parts. False when the lease was lost. */
export async function completeUpload(sql: Sql, lease: Lease, at: number): Promise<boolean> {
  const completed = await sql.query({
    text: `
      with completed as (
        update content set
          status = ${STATUS.uploaded}, uploaded_at = to_timestamp($4 / 1000.0),
          unreferenced_since = to_timestamp($4 / 1000.0), lease_id = null, lease_until = null
        where app_id = $1 and id = $2 and lease_id = $3 and status = ${STATUS.uploading}
        returning app_id, id
      ), deleted_parts as (
        delete from content_part using completed
        where content_part.app_id = completed.app_id and content_part.content_id = completed.id
      )
      select id from completed`,
    values: [lease.appId, lease.id, lease.leaseId, at],
  });
  return completed.length > 0;
}
