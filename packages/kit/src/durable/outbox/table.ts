import { backoffSql } from '../backoff-sql.ts';
import { PUBLISHED_MARK_TABLE_SQL, type Mark } from '../lost-events/marks.ts';
import type { OutboxRow } from './index.ts';
import type { Sql } from '../../postgres/index.ts';
import { NIL_UUID } from '../../runtime/nil-uuid.ts';
import { RECENT_EVENT_TABLE_SQL } from './recent.ts';

/** The tables that every service with events has. */
export const OUTBOX_TABLE_SQL = `
create table outbox (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now()
);
create index outbox_by_next_try on outbox (next_try_at, id);
create table outbox_dead_letter (
  id uuid primary key,
  subject text not null,
  live text[] not null,
  payload bytea not null,
  headers text not null,
  created_at timestamptz not null,
  error text not null,
  died_at timestamptz not null default clock_timestamp()
);
${RECENT_EVENT_TABLE_SQL}${PUBLISHED_MARK_TABLE_SQL}`;

/** Publishes the events of outbox_dead_letter again; an operator runs it once the broker accepts them again. */
export const REPLAY_DEAD_LETTERS_SQL = `
  with back as (delete from outbox_dead_letter returning id, subject, live, payload, headers)
  insert into outbox (id, subject, live, payload, headers) select * from back`;

const INSERT_ONE = {
  name: 'outbox_insert_one',
  text: 'insert into outbox (id, subject, live, payload, headers) values ($1, $2, $3, $4, $5)',
};
const INSERT_MANY = {
  name: 'outbox_insert_many',
  text: `
    insert into outbox (id, subject, live, payload, headers)
    select id, subject, string_to_array(live, ' '), payload, headers
    from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::text[]) as row (id, subject, live, payload, headers)`,
};
// Does not wait for the disk: if a crash undoes the deletion, the row is published again, and the mark is undone, too.
const DELETE_MANY = {
  name: 'outbox_delete_published',
  text: `
    with relaxed as (select set_config('synchronous_commit', 'off', true)),
    recent as (
      insert into recent_event (id, at, subject, payload)
      select id, created_at, subject, payload from outbox where id = any ($6::uuid[])
      on conflict do nothing
    ), gone as (
      delete from outbox using relaxed where id = any ($1::uuid[]) returning created_at
    )
    insert into published_mark as mark (id, seq, subject, message_id, oldest_at)
    select $2::uuid, $3::int8, $4::text, $5::text, min(created_at) from gone having count(*) > 0
    on conflict (id) do update set oldest_at = least(mark.oldest_at, excluded.oldest_at),
      seq = greatest(mark.seq, excluded.seq),
      subject = case when excluded.seq > mark.seq then excluded.subject else mark.subject end,
      message_id = case when excluded.seq > mark.seq then excluded.message_id else mark.message_id end`,
};
// The index scan ends at the first row that is not due yet; this requires a stable function in the condition.
const LIST_DUE = {
  name: 'outbox_list_due',
  text: `
    with page as (
      select id, next_try_at,
        sum(octet_length(payload)) over (order by next_try_at, id) - octet_length(payload) as bytes_before
      from (
        select id, next_try_at, payload from outbox
        where (next_try_at, id) > ($2::timestamptz, $3::uuid)
          and next_try_at <= least($6::timestamptz, statement_timestamp())
          and created_at <= statement_timestamp() - $1 * interval '1 millisecond'
        order by next_try_at, id limit $4) as next
    )
    select o.id, o.subject, o.live, o.payload, o.headers, page.next_try_at::text as due_at,
      statement_timestamp()::text as read_at
    from page join outbox o on o.id = page.id where page.bytes_before < $5 order by page.next_try_at, page.id`,
};
const RETRIES = { firstMs: 2_000, longestMs: 60_000 };
const POSTPONE_MANY = {
  name: 'outbox_postpone',
  text: `
    update outbox set attempts = attempts + 1,
      next_try_at = clock_timestamp() + ${backoffSql('attempts + 1', RETRIES)}
    where ctid = any (array(select ctid from outbox where id = any ($1::uuid[]) order by id for update))`,
};
const MOVE_TO_DEAD_LETTERS = {
  name: 'outbox_bury',
  text: `
    with dead as (
      delete from outbox where ctid = any (array(
        select ctid from outbox where id = any ($1::uuid[]) order by id for update))
      returning *
    )
    insert into outbox_dead_letter (id, subject, live, payload, headers, created_at, error)
    select dead.id, subject, live, payload, headers, created_at, row.error
    from dead join unnest($1::uuid[], $2::text[]) as row (id, error) on row.id = dead.id
    on conflict do nothing`,
};

export async function insertRows(sql: Sql, rows: OutboxRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  if (rows.length === 1) {
    const { id, subject, live, payload, headers } = first;
    await sql.execute({ ...INSERT_ONE, values: [id, subject, live, payload, JSON.stringify(headers)] });
    return;
  }
  const live = rows.map((row) => row.live.join(' '));
  const headers = rows.map((row) => JSON.stringify(row.headers));
  const column = <K extends keyof OutboxRow>(key: K): OutboxRow[K][] => rows.map((row) => row[key]);
  await sql.execute({
    ...INSERT_MANY,
    values: [column('id'), column('subject'), live, column('payload'), headers],
  });
}

/** `kept`: ids of rows that are recorded as recent events. `mark`: the highest message of the series with that id. */
export type Deletion = { ids: string[]; kept: string[]; mark: Mark & { id: string } };

export async function deleteRows(sql: Sql, { ids, kept, mark }: Deletion): Promise<void> {
  const { id, seq, subject, messageId } = mark;
  await sql.execute({ ...DELETE_MANY, values: [ids, id, seq, subject, messageId, kept] });
}

/** The end of a page of due rows. `due_at`: a time as Postgres writes it. */
export type Place = { due_at: string; id: string };
export type DueRow = OutboxRow & Place & { read_at: string };
/** `until`: rows due later are left out, a time as Postgres formats it; `infinity` leaves none out. */
export type DuePage = { after: Place; until: string; limit: number; bytes: number };

export const BEFORE_ALL: Place = { due_at: '-infinity', id: NIL_UUID };

/**
 * Rows of at least age `ageMs` whose next attempt is due, ordered by the time of that attempt. The row that exceeds `bytes` is the last.
 */
export async function listRowsDue(sql: Sql, ageMs: number, page: DuePage): Promise<DueRow[]> {
  const { due_at, id } = page.after;
  const rows = await sql.query<Omit<DueRow, 'headers'> & { headers: string }>({
    ...LIST_DUE,
    values: [ageMs, due_at, id, page.limit, page.bytes, page.until],
  });
  return rows.map((row) => ({ ...row, headers: JSON.parse(row.headers) as Record<string, string> }));
}

/** Postpones the next attempt of refused rows. */
export async function postponeRows(sql: Sql, ids: string[]): Promise<void> {
  if (ids.length > 0) await sql.execute({ ...POSTPONE_MANY, values: [ids] });
}

export type DeadRow = { id: string; error: string };

/** Moves rows that can never be published to outbox_dead_letter. */
export async function moveToDeadLetters(sql: Sql, dead: readonly DeadRow[]): Promise<void> {
  if (dead.length === 0) return;
  await sql.execute({
    ...MOVE_TO_DEAD_LETTERS,
    values: [dead.map(({ id }) => id), dead.map(({ error }) => error)],
  });
}

/** Number of rows waiting to be published. */
export async function countRows(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    name: 'outbox_count',
    text: 'select count(*) as count from outbox',
  });
  return row?.count ?? 0;
}

/** Age of the oldest row, in seconds; 0: there is none. */
export async function readAge(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ age: number }>({
    name: 'outbox_age',
    // Ids are ordered by time.
    text: `
      select extract(epoch from clock_timestamp() - created_at)::float8 as age from outbox order by id limit 1`,
  });
  return row?.age ?? 0;
}
