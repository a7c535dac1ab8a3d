import type { Sql } from '@parley/kit/postgres';
import { ExportStatus } from '@parley/proto/parley/export/v1/export_pb';
import { EXPORT_COLUMNS, type ExportRef, type ExportRow } from './export.ts';

/** Of each application the export that is not completed and whose next run has been due longest. */
export function listDueExports(sql: Sql, now: number, limit: number): Promise<ExportRef[]> {
  return sql.query<ExportRef>({
    name: 'list_due_exports',
    text: `
      with recursive app as (
        (select app_id from export where completed_at is null order by app_id, due_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select e.app_id from export e where e.completed_at is null and e.app_id > app.app_id
          order by e.app_id, e.due_at limit 1) next
      )
      select due.app_id, due.id from app cross join lateral (
        select e.app_id, e.id, e.due_at from export e
        where e.app_id = app.app_id and e.completed_at is null and e.due_at <= to_timestamp($1::float8 / 1000)
        order by e.app_id, e.due_at limit 1) due
      order by due.due_at limit $2`,
    values: [now, limit],
  });
}

export type Run = ExportRef & { run_id: string };

/**
 * Begins a run with the key that is registered at this moment; to be called by the only one who may run this export.
 * Undefined: there is nothing to do any more.
 */
export async function beginRun(
  sql: Sql,
  { app_id, id, run_id }: Run,
  now: number,
): Promise<ExportRow | undefined> {
  const [row] = await sql.query<ExportRow>({
    name: 'begin_run',
    text: `
      update export
      set status = ${ExportStatus.EXECUTING}, run_id = $3, started_at = coalesce(started_at, to_timestamp($4::float8 / 1000)),
        (public_key, padding) = (select k.public_key, k.padding from export_key k where k.app_id = $1)
      where app_id = $1 and id = $2 and completed_at is null and due_at <= to_timestamp($4::float8 / 1000)
      returning ${EXPORT_COLUMNS}`,
    values: [app_id, id, run_id, now],
  });
  return row;
}

/** False: it was deleted, or somebody else runs it. */
export async function isCurrentRun(sql: Sql, { app_id, id, run_id }: Run): Promise<boolean> {
  const text = 'select from export where app_id = $1 and id = $2 and run_id = $3';
  return (await sql.execute({ name: 'is_current_run', text, values: [app_id, id, run_id] })) > 0;
}

export type ArchiveFields = {
  archive_size: number;
  archive_sha256: Buffer;
  encrypted_aes_key: Buffer;
  aes_iv: Buffer;
};

/** False: it was deleted, or somebody else runs it, and what this run has stored is nobody's. */
export async function completeRun(
  sql: Sql,
  { app_id, id, run_id }: Run,
  archive: ArchiveFields,
  { now, expires }: { now: number; expires: number },
): Promise<boolean> {
  const changed = await sql.execute({
    name: 'complete_run',
    text: `
      update export
      set status = ${ExportStatus.COMPLETED}, status_reason = null, completed_at = to_timestamp($4::float8 / 1000),
        expired_at = to_timestamp($5::float8 / 1000), archive_size = $6, archive_sha256 = $7, encrypted_aes_key = $8,
        aes_iv = $9
      where app_id = $1 and id = $2 and run_id = $3 and completed_at is null`,
    values: [
      ...[app_id, id, run_id, now, expires],
      ...[archive.archive_size, archive.archive_sha256, archive.encrypted_aes_key, archive.aes_iv],
    ],
  });
  return changed > 0;
}

/** It waits for its next run. */
export async function failRun(
  sql: Sql,
  { app_id, id, run_id }: Run,
  { reason, dueAt }: { reason: string; dueAt: number },
): Promise<void> {
  await sql.execute({
    name: 'fail_run',
    text: `
      update export
      set status = ${ExportStatus.PENDING}, status_reason = $4, failures = failures + 1,
        due_at = to_timestamp($5::float8 / 1000)
      where app_id = $1 and id = $2 and run_id = $3 and completed_at is null`,
    values: [app_id, id, run_id, reason, dueAt],
  });
}
