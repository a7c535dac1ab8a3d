import type { Sql } from '@parley/kit/postgres';

/** `since`: until when it was compared, or when it was opened (milliseconds). */
export type ComparedJournal = { appId: string; since: number };

/** A time longer than a day, and shorter than handled events are remembered. */
const LONGEST = '3 days';

/** Open journals, by application, that were not compared until a time. */
export function listJournalsToCompare(
  sql: Sql,
  { after, until, limit }: { after: string; until: number; limit: number },
): Promise<ComparedJournal[]> {
  return sql.query<ComparedJournal>({
    name: 'list_journals_to_compare',
    text: `
      select app_id as "appId", (extract(epoch from greatest(
        compared_until, opened_at, to_timestamp($2::float8 / 1000) - interval '${LONGEST}')) * 1000)::float8 as since
      from journal_head
      where is_open and app_id > $1 and coalesce(compared_until, opened_at) <= to_timestamp($2::float8 / 1000)
      order by app_id limit $3`,
    values: [after, until, limit],
  });
}

export async function setCompared(sql: Sql, appId: string, until: number): Promise<void> {
  await sql.execute({
    name: 'set_journal_compared',
    text: 'update journal_head set compared_until = to_timestamp($2::float8 / 1000) where app_id = $1',
    values: [appId, until],
  });
}

/** Lists those of the events that a consumer has not handled. */
export async function listUnhandled(
  sql: Sql,
  consumer: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query<{ id: string }>({
    name: 'list_unhandled_events',
    text: `
      select id from unnest($2::uuid[]) as event (id)
      where not exists (select from consumed_event handled where handled.consumer = $1 and handled.event_id = event.id)`,
    values: [consumer, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
