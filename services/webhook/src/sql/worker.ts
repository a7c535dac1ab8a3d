import type { Sql } from '@parley/kit/postgres';

/** Says that a worker lives. */
export async function upsertWorker(sql: Sql, id: string): Promise<void> {
  await sql.execute({
    name: 'upsert_worker',
    text: `
      insert into worker (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()`,
    values: [id],
  });
}

/** Gives back what a worker holds, and forgets it. */
export async function deleteWorker(sql: Sql, id: string): Promise<void> {
  await sql.execute({
    text: `
      with gone as (delete from worker where id = $1)
      update delivery set claimed_by = null where claimed_by = $1`,
    values: [id],
  });
}

/** Gives back what those hold who were not seen for so long; returns how many deliveries. */
export function releaseDeliveriesOfLostWorkers(sql: Sql, unseenMs: number): Promise<number> {
  return sql.execute({
    name: 'release_unseen',
    text: `
      with gone as (delete from worker where seen_at < clock_timestamp() - interval '1 hour')
      update delivery set claimed_by = null
      where claimed_by is not null and not exists (
        select from worker
        where worker.id = claimed_by and worker.seen_at > clock_timestamp() - $1 * interval '1 millisecond')`,
    values: [unseenMs],
  });
}
