import type { Sql } from '../../postgres/index.ts';
import { NIL_UUID } from '../../runtime/nil-uuid.ts';

/** Published messages whose events are in no log, kept for as long as a stream may lose them and they are still useful. */
export const RECENT_EVENT_TABLE_SQL = `
create table recent_event (
  id uuid primary key,
  at timestamptz not null,
  subject text not null,
  payload bytea not null
);
`;

type RecentEvent = { id: string; subject: string; payload: Uint8Array };

/**
 * Longer than the last minutes that a server loses in a power failure by default; a push that is this late is still useful. Milliseconds.
 */
export const RECENT_MS = 10 * 60_000;
const PAGE = 200;
const DELETED_AT_ONCE = 5000;

/** Pages of the messages written since a time (milliseconds). */
export async function* readRecentEvents(sql: Sql, since: number): AsyncIterable<RecentEvent[]> {
  for (let after = NIL_UUID; ;) {
    const page: RecentEvent[] = await sql.query<RecentEvent>({
      name: 'recent_event_list',
      text: `
        select id, subject, payload from recent_event
        where id > $1 and at >= to_timestamp($2::float8 / 1000) order by id limit ${PAGE}`,
      values: [after, since],
    });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.id;
  }
}

export async function forgetRecentEvents(sql: Sql, now: number): Promise<void> {
  const forget = () =>
    sql.execute({
      name: 'recent_event_forget',
      text: `
        delete from recent_event where ctid = any (array(
          select ctid from recent_event where id < $1 limit ${DELETED_AT_ONCE}))`,
      values: [firstIdAt(now - RECENT_MS)],
    });
  while ((await forget()) === DELETED_AT_ONCE);
}

/** The lowest UUID of version 7 with that time. */
function firstIdAt(time: number): string {
  const digits = Math.floor(time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
