import type { Sql } from '@parley/kit/postgres';
import type { Act, JournalEntry } from '../journal/entry.ts';

/** `storedAt`: milliseconds since the epoch; absent: it is yet to be stored outside. */
export async function insertEntry(sql: Sql, entry: JournalEntry & { storedAt?: number }): Promise<void> {
  await sql.execute({
    name: 'insert_journal_entry',
    text: `
      insert into journal_entry (id, at, act, stored_at)
      values ($1, to_timestamp($2::float8 / 1000), $3, to_timestamp($4::float8 / 1000)) on conflict do nothing`,
    values: [entry.id, entry.at, JSON.stringify(entry.act), entry.storedAt ?? null],
  });
}

/** The oldest entries that are not stored outside. */
export function listWaiting(sql: Sql, limit: number): Promise<JournalEntry[]> {
  return sql.query<{ id: string; at: number; act: Act }>({
    text: `select id, at, act from journal_entry where stored_at is null order by id limit $1`,
    values: [limit],
  });
}

/** Marks entries as stored; an entry that another process has stored as well keeps its time. */
export async function markStored(sql: Sql, ids: readonly string[], at: number): Promise<void> {
  await sql.execute({
    text: `
      update journal_entry set stored_at = to_timestamp($2::float8 / 1000)
      where id = any ($1::uuid[]) and stored_at is null`,
    values: [ids, at],
  });
}

/** Finds those of the ids that this database has. */
export async function findKnown(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>({
    text: `select id from journal_entry where id = any ($1::uuid[])`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Deletes at most `limit` entries that were stored before a time; returns how many. */
export function deleteStoredBefore(sql: Sql, time: number, limit: number): Promise<number> {
  return sql.execute({
    text: `
      delete from journal_entry where ctid = any (array(
        select ctid from journal_entry where stored_at < to_timestamp($1::float8 / 1000) limit $2))`,
    values: [time, limit],
  });
}

export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    text: `select count(*)::int as count from journal_entry where stored_at is null`,
  });
  return row?.count ?? 0;
}
