import type { Database } from '../postgres.ts';

/**
 * The place of the first lease of another application at the latest. A test and the timer of the service that it tests may lease
 * at the same moment: then the one that does not get the other application takes the same one twice.
 */
export const LATEST_TURN = 2;

/** Records from now on which applications' items of a work queue are leased; answers their ids in that order. */
export async function recordLeases(db: Database, table: string): Promise<() => Promise<string[]>> {
  await db.execute({ text: `create table ${table}_lease (number bigserial, app_id uuid)` });
  await db.execute({
    text: `create function record_${table}_lease() returns trigger language plpgsql as $$
      begin insert into ${table}_lease (app_id) values (new.app_id); return new; end $$`,
  });
  await db.execute({
    text: `create trigger record_lease after update of attempts on ${table} for each row
      when (new.attempts > old.attempts) execute function record_${table}_lease()`,
  });
  return async () => {
    const text = `select app_id from ${table}_lease order by number`;
    return (await db.query<{ app_id: string }>({ text })).map(({ app_id }) => app_id);
  };
}
