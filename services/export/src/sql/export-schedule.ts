import type { Sql } from '@parley/kit/postgres';
import { ExportInterval } from '@parley/proto/parley/export/v1/export_pb';

export type ExportScheduleRow = {
  app_id: string;
  interval: ExportInterval;
  events: string[];
  hour_utc: number;
  last_export_at: number | null;
  last_export_id: string | null;
  next_export_at: number | null;
  exported_until: number;
};

const COLUMNS = `app_id, interval, events, hour_utc, last_export_at, last_export_id, next_export_at, exported_until`;

export async function findSchedule(sql: Sql, appId: string): Promise<ExportScheduleRow | undefined> {
  const [row] = await sql.query<ExportScheduleRow>({
    name: 'find_schedule',
    text: `select ${COLUMNS} from export_schedule where app_id = $1`,
    values: [appId],
  });
  return row;
}

export type ScheduleSettings = {
  appId: string;
  interval: ExportInterval;
  events: readonly string[];
  hourUtc: number;
  nextExportAt: number | null;
};

/** Stores the settings; the record of what was exported so far is unchanged. */
export async function upsertSchedule(sql: Sql, settings: ScheduleSettings): Promise<void> {
  await sql.execute({
    name: 'upsert_schedule',
    text: `
      insert into export_schedule (app_id, interval, events, hour_utc, next_export_at)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
      on conflict (app_id) do update set interval = excluded.interval, events = excluded.events,
        hour_utc = excluded.hour_utc, next_export_at = excluded.next_export_at`,
    values: [settings.appId, settings.interval, settings.events, settings.hourUtc, settings.nextExportAt],
  });
}

export async function disableSchedule(sql: Sql, appId: string): Promise<void> {
  await sql.execute({
    text: `
      update export_schedule set interval = ${ExportInterval.DISABLED}, next_export_at = null where app_id = $1`,
    values: [appId],
  });
}

/** Ids of the next applications whose schedule is due, after `after`. */
export async function listDueSchedules(
  sql: Sql,
  { now, after, limit }: { now: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await sql.query<{ app_id: string }>({
    name: 'list_due_schedules',
    text: `
      select app_id from export_schedule
      where next_export_at <= to_timestamp($1::float8 / 1000) and app_id > $2
      order by app_id limit $3`,
    values: [now, after, limit],
  });
  return rows.map(({ app_id }) => app_id);
}

/** The schedule if it is due, locked until the end of the transaction, so that no other replica begins its export. */
export async function lockDueSchedule(
  sql: Sql,
  appId: string,
  now: number,
): Promise<ExportScheduleRow | undefined> {
  const [row] = await sql.query<ExportScheduleRow>({
    name: 'lock_due_schedule',
    text: `
      select ${COLUMNS} from export_schedule
      where app_id = $1 and next_export_at <= to_timestamp($2::float8 / 1000) for update skip locked`,
    values: [appId, now],
  });
  return row;
}

export type ScheduleAdvance = {
  appId: string;
  at: number;
  exportId: string;
  nextExportAt: number;
  /** Number of the last entry of the journal that the export covers. */
  exportedUntil: number;
};

/** Records the export that was begun, and when the next one is due. */
export async function advanceSchedule(sql: Sql, advance: ScheduleAdvance): Promise<void> {
  await sql.execute({
    name: 'advance_schedule',
    text: `
      update export_schedule
      set last_export_at = to_timestamp($2::float8 / 1000), last_export_id = $3,
        next_export_at = to_timestamp($4::float8 / 1000), exported_until = $5
      where app_id = $1`,
    values: [advance.appId, advance.at, advance.exportId, advance.nextExportAt, advance.exportedUntil],
  });
}

/** Excludes all entries of the journal up to `until` from exports. */
export async function skipJournal(sql: Sql, appId: string, until: number): Promise<void> {
  await sql.execute({
    name: 'skip_journal',
    text: 'update export_schedule set exported_until = $2 where app_id = $1',
    values: [appId, until],
  });
}
