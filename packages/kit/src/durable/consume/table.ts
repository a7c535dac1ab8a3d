import type { Database, Sql } from '../../postgres/index.ts';

/** Tables that every service with consumers creates in its first migration. */
export const CONSUMED_EVENT_TABLE_SQL = `
create table consumed_event (
  consumer text not null,
  event_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
create index consumed_event_at on consumed_event using brin (at);
create table dead_letter (
  consumer text not null,
  event_id text not null,
  subject text not null,
  payload bytea not null,
  error text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
`;

// Sorted by id, so that two processes with the same events wait for each other instead of deadlocking.
const CLAIM_EVENT = {
  name: 'consumed_event_claim',
  text: `
    insert into consumed_event (consumer, event_id)
    select $1, id from unnest($2::uuid[]) as row (id) order by id
    on conflict do nothing returning event_id as id`,
};
const INSERT_DEAD_LETTER = {
  name: 'dead_letter_insert',
  text: `
    insert into dead_letter (consumer, event_id, subject, payload, error) values ($1, $2, $3, $4, $5)
    on conflict do nothing`,
};
const DELETE_OLDER_EVENTS = {
  name: 'consumed_event_delete_older',
  text: `
    delete from consumed_event where ctid = any (array(
      select ctid from consumed_event where at < to_timestamp($1::float8 / 1000) limit $2))`,
};

const CHUNK = 5000;

export type DeadLetter = {
  consumer: string;
  eventId: string;
  subject: string;
  payload: Uint8Array;
  error: string;
};

/** Records events as handled by this consumer. Returns the ids of the new ones. */
export async function claimEvents(sql: Sql, consumer: string, ids: string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>({ ...CLAIM_EVENT, values: [consumer, ids] });
  return new Set(rows.map(({ id }) => id));
}

export async function addDeadLetter(sql: Sql, letter: DeadLetter): Promise<void> {
  const { consumer, eventId, subject, payload, error } = letter;
  await sql.execute({ ...INSERT_DEAD_LETTER, values: [consumer, eventId, subject, payload, error] });
}

/** Deletes the records of events that any consumer handled before `before`; returns how many. */
export async function forgetConsumedEvents(db: Database, before: number): Promise<number> {
  for (let total = 0; ;) {
    const count = await db.execute({ ...DELETE_OLDER_EVENTS, values: [before, CHUNK] });
    total += count;
    if (count < CHUNK) return total;
  }
}
