import type { Sql } from '@parley/kit/postgres';
import { ExportStatus, type ExportType, type KeyPadding } from '@parley/proto/parley/export/v1/export_pb';

export type ExportKey = { appId: string; id: string };

export type ExportRow = {
  app_id: string;
  id: string;
  type: ExportType;
  status: ExportStatus;
  status_reason: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  expired_at: number | null;
  failures: number;
  run_id: string | null;
  public_key: string | null;
  padding: KeyPadding | null;
  after_number: number | null;
  last_number: number | null;
  events: string[] | null;
  archive_size: number | null;
  archive_sha256: Buffer | null;
  encrypted_aes_key: Buffer | null;
  aes_iv: Buffer | null;
};

export const EXPORT_COLUMNS = `app_id, id, type, status, status_reason, created_at, started_at, completed_at, expired_at,
  failures, run_id, public_key, padding, after_number, last_number, events, archive_size, archive_sha256,
  encrypted_aes_key, aes_iv`;

export type NewExport = ExportKey & {
  type: ExportType;
  createdAt: number;
  /** The entries of the journal that a scheduled export covers; `after` is excluded. */
  range?: { after: number; until: number; events: readonly string[] };
};

/** The export counts as executing from the first moment. docs/protocol/exports.md#status-of-an-export */
export async function insertExport(
  sql: Sql,
  { appId, id, type, createdAt, range }: NewExport,
): Promise<ExportRow> {
  const [row] = await sql.query<ExportRow>({
    name: 'insert_export',
    text: `
      insert into export (app_id, id, type, status, created_at, due_at, after_number, last_number, events)
      values ($1, $2, $3, ${ExportStatus.EXECUTING}, to_timestamp($4::float8 / 1000),
        to_timestamp($4::float8 / 1000), $5, $6, $7)
      returning ${EXPORT_COLUMNS}`,
    values: [appId, id, type, createdAt, range?.after, range?.until, range?.events],
  });
  return row!;
}

export async function findExport(sql: Sql, { appId, id }: ExportKey): Promise<ExportRow | undefined> {
  const [row] = await sql.query<ExportRow>({
    name: 'find_export',
    text: `select ${EXPORT_COLUMNS} from export where app_id = $1 and id = $2`,
    values: [appId, id],
  });
  return row;
}

/** All exports of an application, newest first. */
export function listExports(sql: Sql, appId: string): Promise<ExportRow[]> {
  return sql.query<ExportRow>({
    name: 'list_exports',
    text: `select ${EXPORT_COLUMNS} from export where app_id = $1 order by created_at desc, id desc`,
    values: [appId],
  });
}

/** Returns the deleted row; undefined when there is no such export. */
export async function deleteExport(sql: Sql, { appId, id }: ExportKey): Promise<ExportRow | undefined> {
  const [row] = await sql.query<ExportRow>({
    name: 'delete_export',
    text: `delete from export where app_id = $1 and id = $2 returning ${EXPORT_COLUMNS}`,
    values: [appId, id],
  });
  return row;
}

export async function deleteExportsOfApp(sql: Sql, appId: string): Promise<void> {
  await sql.execute({ text: 'delete from export where app_id = $1', values: [appId] });
}

/** How many there were. */
export function deleteExpiredExports(sql: Sql, now: number): Promise<number> {
  return sql.execute({
    name: 'delete_expired_exports',
    text: 'delete from export where expired_at <= to_timestamp($1::float8 / 1000)',
    values: [now],
  });
}
