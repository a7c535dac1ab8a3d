import type { Sql } from '@parley/kit/postgres';
import { insertedRow } from './inserted-row.ts';

export type AppRow = {
  app_uuid: string;
  name: string;
  environment: string;
  suspended: boolean;
  session_ttl_in_seconds: number;
  allowed_origins: string[];
  inline_body_bytes: number;
  public_identity_fields: string[];
  /** One of `USER_DIRECTORIES`. */
  user_directory: string;
  created_at: number;
};

export type AppSettings = {
  name?: string | undefined;
  sessionTtlInSeconds?: number | undefined;
  allowedOrigins?: string[] | undefined;
  inlineBodyBytes?: number | undefined;
  publicIdentityFields?: string[] | undefined;
  userDirectory?: string | undefined;
};

const COLUMNS = `id as app_uuid, name, environment, suspended, session_ttl_in_seconds, allowed_origins, inline_body_bytes,
  public_identity_fields, user_directory, created_at`;

export type NewApp = {
  appId: string;
  name: string;
  environment: string;
  sessionTtlInSeconds: number;
  inlineBodyBytes: number;
  createdAt: number;
  cell: number;
};

/** Stores an application that is not suspended, names no origins, and has no public identity fields. */
export async function insertApp(sql: Sql, app: NewApp): Promise<AppRow> {
  const { appId, name, environment, sessionTtlInSeconds, inlineBodyBytes, createdAt, cell } = app;
  return insertedRow(
    await sql.query<AppRow>({
      text: `
        insert into app (id, name, environment, suspended, session_ttl_in_seconds, allowed_origins, inline_body_bytes, created_at, cell)
        values ($1, $2, $3, false, $4, '{}', $5, to_timestamp($6 / 1000.0), $7)
        returning ${COLUMNS}`,
      values: [appId, name, environment, sessionTtlInSeconds, inlineBodyBytes, createdAt, cell],
    }),
  );
}

/** Undefined also if the application is deleted. */
export async function findApp(sql: Sql, appId: string): Promise<AppRow | undefined> {
  const [row] = await sql.query<AppRow>({
    name: 'find_app',
    text: `select ${COLUMNS} from app where id = $1 and deleted_at is null`,
    values: [appId],
  });
  return row;
}

/** Undefined: there is no such application. */
export async function findUserDirectory(sql: Sql, appId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ user_directory: string }>({
    name: 'find_user_directory',
    text: 'select user_directory from app where id = $1 and deleted_at is null',
    values: [appId],
  });
  return row?.user_directory;
}

/** Applications that are not deleted, oldest first. */
export function listApps(sql: Sql): Promise<AppRow[]> {
  return sql.query<AppRow>({ text: `select ${COLUMNS} from app where deleted_at is null order by id` });
}

/** Finds whether applications are deleted; those that were never created here are left out. */
export async function findAppStates(sql: Sql, ids: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await sql.query<{ id: string; deleted: boolean }>({
    text: `select id, deleted_at is not null as deleted from app where id = any ($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map(({ id, deleted }) => [id, deleted]));
}

/** The cells of applications, deleted ones too, by their ids. */
export async function findAppCells(sql: Sql, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.query<{ id: string; cell: number }>({
    name: 'find_app_cells',
    text: 'select id, cell from app where id = any ($1::uuid[])',
    values: [ids],
  });
  return new Map(rows.map(({ id, cell }) => [id, cell]));
}

/** How many applications that are not deleted each cell has. */
export function listCellSizes(sql: Sql): Promise<{ cell: number; count: number }[]> {
  return sql.query({
    text: 'select cell, count(*)::int as count from app where deleted_at is null group by cell order by cell',
  });
}

/** The first of the cells with the fewest applications. */
export async function findEmptiestCell(sql: Sql, cells: number): Promise<number> {
  const [row] = await sql.query<{ cell: number }>({
    text: `
      select n as cell from generate_series(0, $1::int - 1) as n
      left join (select cell, count(*) as apps from app where deleted_at is null group by cell) as taken on cell = n
      order by coalesce(apps, 0), n limit 1`,
    values: [cells],
  });
  return row?.cell ?? 0;
}

/** Changes the given settings; returns undefined if there is no such application. */
export async function updateApp(sql: Sql, appId: string, settings: AppSettings): Promise<AppRow | undefined> {
  const [row] = await sql.query<AppRow>({
    text: `
      update app set
        name = coalesce($2, name),
        session_ttl_in_seconds = coalesce($3, session_ttl_in_seconds),
        allowed_origins = coalesce($4, allowed_origins),
        inline_body_bytes = coalesce($5, inline_body_bytes),
        public_identity_fields = coalesce($6, public_identity_fields),
        user_directory = coalesce($7, user_directory)
      where id = $1 and deleted_at is null
      returning ${COLUMNS}`,
    values: [
      appId,
      settings.name,
      settings.sessionTtlInSeconds,
      settings.allowedOrigins,
      settings.inlineBodyBytes,
      settings.publicIdentityFields,
      settings.userDirectory,
    ],
  });
  return row;
}

/** Returns whether that changed anything. */
export async function setAppSuspended(sql: Sql, appId: string, suspended: boolean): Promise<boolean> {
  const changed = await sql.execute({
    text: `update app set suspended = $2 where id = $1 and deleted_at is null and suspended <> $2`,
    values: [appId, suspended],
  });
  return changed > 0;
}

/** Returns whether that changed anything. */
export async function markAppDeleted(sql: Sql, appId: string, now: number): Promise<boolean> {
  const changed = await sql.execute({
    text: `update app set deleted_at = to_timestamp($2 / 1000.0) where id = $1 and deleted_at is null`,
    values: [appId, now],
  });
  return changed > 0;
}
