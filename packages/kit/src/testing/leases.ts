import type { Database } from '../postgres.ts';

/**
 * Latest index of the first lease of another application. A test and the tested service's job may lease at the same moment;
 * then one of them leases from the same application twice.
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
