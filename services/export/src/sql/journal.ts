import { CLOCK_SKEW_MS } from '@parley/domain/events/log-age';
import type { Sql } from '@parley/kit/postgres';

export type JournalEntry = { kind: string; at: number; event: Uint8Array };

/** Keeps the application's events from a time on; has no effect on a journal that is open already. */
export async function openJournal(sql: Sql, appId: string, at: number): Promise<void> {
  await sql.execute({
    name: 'open_journal',
    text: `
      insert into journal_head (app_id, is_open, opened_at) values ($1, true, to_timestamp($2::float8 / 1000))
      on conflict (app_id) do update set is_open = true,
        opened_at = case when journal_head.is_open then journal_head.opened_at else excluded.opened_at end`,
    values: [appId, at],
  });
}

/** Stops keeping events. Returns the number of the last entry. */
export async function closeJournal(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql.query<{ number: number }>({
    name: 'close_journal',
    text: 'update journal_head set is_open = false where app_id = $1 returning number',
    values: [appId],
  });
  return row?.number ?? 0;
}

/**
 * Returns the number of the last entry. The journal is locked until the end of the transaction, so every entry up to that
 * number is visible, and later entries get higher ones.
 */
export async function lockJournal(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql.query<{ number: number }>({
    name: 'lock_journal',
    text: 'select number from journal_head where app_id = $1 for update',
    values: [appId],
  });
  return row?.number ?? 0;
}

/** Lists those of the applications whose journal is open. */
export async function listOpenJournals(sql: Sql, appIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ app_id: string }>({
    name: 'list_open_journals',
    text: 'select app_id from journal_head where app_id = any ($1::uuid[]) and is_open',
    values: [appIds],
  });
  return rows.map(({ app_id }) => app_id);
}

/** Applications whose journal is open, by id, and when it was opened (milliseconds). */
export function listAppsWithOpenJournal(
  sql: Sql,
  after: string | undefined,
  limit: number,
): Promise<{ appId: string; since: number }[]> {
  return sql.query({
    name: 'list_apps_with_open_journal',
    text: `
      select app_id as "appId", opened_at as since from journal_head
      where is_open and ($1::uuid is null or app_id > $1) order by app_id limit $2`,
    values: [after ?? null, limit],
  });
}

/** Appends entries with the next numbers, if the application's journal is open and was open when they happened. */
export async function appendToJournal(
  sql: Sql,
  appId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql.execute({
    name: 'append_to_journal',
    text: `
      with head as (
        select number, opened_at from journal_head where app_id = $1 and is_open for no key update
      ), entry as (
        select head.number + row_number() over (order by new.number) as number, new.kind, at, new.event
        from head, unnest($2::text[], $3::float8[], $4::bytea[]) with ordinality as new (kind, ms, event, number),
          to_timestamp(new.ms / 1000) as at
        where at >= head.opened_at - ${CLOCK_SKEW_MS} * interval '1 millisecond'
      ), numbered as (
        update journal_head set number = (select max(number) from entry)
        where app_id = $1 and exists (select from entry)
      )
      insert into journal (app_id, number, kind, at, event) select $1, number, kind, at, event from entry`,
    values: [
      appId,
      entries.map(({ kind }) => kind),
      entries.map(({ at }) => at),
      entries.map(({ event }) => event),
    ],
  });
}

export type JournalRow = JournalEntry & { number: number };

export type JournalQuery = {
  appId: string;
  /** Numbers of entries; `after` is excluded. */
  range: { after: number; until: number };
  kinds: readonly string[];
  /** The last row of the page before. */
  from: { at: number; number: number };
  limit: number;
};

/** Entries by time, then number. */
export function listJournal(sql: Sql, query: JournalQuery): Promise<JournalRow[]> {
  return sql.query<JournalRow>({
    name: 'list_journal',
    text: `
      select number, kind, (extract(epoch from at) * 1000)::float8 as at, event from journal
      where app_id = $1 and (at, number) > (to_timestamp($2::float8 / 1000), $3::int8)
        and number > $4 and number <= $5 and kind = any($6::text[])
      order by app_id, at, number limit $7`,
    values: [
      query.appId,
      query.from.at,
      query.from.number,
      query.range.after,
      query.range.until,
      query.kinds,
      query.limit,
    ],
  });
}

/** Deletes at most `limit` entries that every export which covers them has written; returns how many. */
export function deleteExportedEntries(sql: Sql, limit: number): Promise<number> {
  return sql.execute({
    name: 'delete_exported_entries',
    text: `
      delete from journal where (app_id, number, ctid) in (
        select j.app_id, j.number, j.ctid from export_schedule s
        join journal j on j.app_id = s.app_id and j.number <= least(
          s.exported_until,
          (select min(e.after_number) from export e where e.app_id = s.app_id and e.completed_at is null))
        limit $1)`,
    values: [limit],
  });
}
