import type { Logger } from '../runtime/telemetry/log.ts';
import type { Database } from '../postgres/index.ts';

/** A table of events that failed for good, kept for an operator. */
export type DeadLetters = {
  table: 'dead_letter' | 'outbox_dead_letter';
  /** The column with the time of a row's insertion. */
  column: 'at' | 'died_at';
};

export const DEAD_LETTER: DeadLetters = { table: 'dead_letter', column: 'at' };
export const OUTBOX_DEAD_LETTER: DeadLetters = { table: 'outbox_dead_letter', column: 'died_at' };

/** How long a dead letter is kept; an alert fires during the whole time. Milliseconds. */
export const DEAD_LETTER_RETENTION_MS = 30 * 24 * 3600_000;

const CHUNK = 500;

/** Deletes dead letters older than the retention time, in chunks; returns how many, and logs their number as an error. */
export async function forgetDeadLetters(
  { db, log }: { db: Database; log: Logger },
  { table, column }: DeadLetters,
  before: number,
): Promise<number> {
  const text = `
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${column} < to_timestamp($1::float8 / 1000) limit $2))`;
  let total = 0;
  for (let deleted = CHUNK; deleted === CHUNK; total += deleted)
    deleted = await db.execute({ name: `${table}_delete_older`, text, values: [before, CHUNK] });
  if (total > 0) log.error({ table, count: total }, 'deleted expired dead letters');
  return total;
}

/** Number of dead letters. */
export async function countDeadLetters(db: Database, { table }: DeadLetters): Promise<number> {
  const query = { name: `${table}_count`, text: `select count(*) as count from ${table}` };
  const [row] = await db.query<{ count: number }>(query);
  return row?.count ?? 0;
}
