import type { Sql } from '@parley/kit/postgres';
import { ExportStatus } from '@parley/proto/parley/export/v1/export_pb';
import type { RunKey } from '../export/blob-key.ts';
import { EXPORT_COLUMNS, type ExportRow } from './export.ts';

/** Lists, for each application, the incomplete export whose next run has been due longest. */
export function listDueExports(
  sql: Sql,
  now: number,
  limit: number,
): Promise<Pick<ExportRow, 'app_id' | 'id'>[]> {
  return sql.query<Pick<ExportRow, 'app_id' | 'id'>>({
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

/**
 * Begins a run with the key that is registered now. The caller must hold the application's lock. Undefined when the export
 * was deleted, is complete, or is not due any more.
 */
export async function beginRun(
  sql: Sql,
  { appId, id, runId }: RunKey,
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
    values: [appId, id, runId, now],
  });
  return row;
}

/** False when the export was deleted or another run has begun. */
export async function isCurrentRun(sql: Sql, { appId, id, runId }: RunKey): Promise<boolean> {
  const text = 'select from export where app_id = $1 and id = $2 and run_id = $3';
  return (await sql.execute({ name: 'is_current_run', text, values: [appId, id, runId] })) > 0;
}

/** Fields by which a client checks and decrypts an archive. */
export type ArchiveFields = { size: number; sha256: Buffer; encryptedAesKey: Buffer; aesIv: Buffer };

/** Completes an export. False when it was deleted or another run has begun: this run's archive is not needed. */
export async function completeRun(
  sql: Sql,
  { appId, id, runId }: RunKey,
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
      appId,
      id,
      runId,
      now,
      expires,
      archive.size,
      archive.sha256,
      archive.encryptedAesKey,
      archive.aesIv,
    ],
  });
  return changed > 0;
}

/** Records why a run failed; the next one is due at `dueAt`. */
export async function failRun(
  sql: Sql,
  { appId, id, runId }: RunKey,
  { reason, dueAt }: { reason: string; dueAt: number },
): Promise<void> {
  await sql.execute({
    name: 'fail_run',
    text: `
      update export
      set status = ${ExportStatus.PENDING}, status_reason = $4, failures = failures + 1,
        due_at = to_timestamp($5::float8 / 1000)
      where app_id = $1 and id = $2 and run_id = $3 and completed_at is null`,
    values: [appId, id, runId, reason, dueAt],
  });
}
