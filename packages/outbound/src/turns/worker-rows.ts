import type { Sql } from '@parley/kit/postgres';

/** Records that a worker is alive. */
export async function upsertWorker(sql: Sql, id: string): Promise<void> {
  await sql.execute({
    name: 'upsert_worker',
    text: `
      insert into worker (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()`,
    values: [id],
  });
}

/** Deletes a worker and releases its claims. */
export async function deleteWorker(sql: Sql, id: string): Promise<void> {
  await sql.execute({
    text: `
      with deleted as (delete from worker where id = $1)
      update delivery set claimed_by = null where claimed_by = $1`,
    values: [id],
  });
}

/** Releases what a worker has claimed, besides the deliveries with these ids; returns the number of deliveries. */
export function releaseOtherDeliveries(sql: Sql, id: string, keptIds: readonly string[]): Promise<number> {
  return sql.execute({
    name: 'release_others',
    text: 'update delivery set claimed_by = null where claimed_by = $1 and id <> all($2::uuid[])',
    values: [id, keptIds],
  });
}

/** Releases the claims of workers that have given no sign of life for `unseenMs`; returns the number of deliveries. */
export function releaseDeliveriesOfLostWorkers(sql: Sql, unseenMs: number): Promise<number> {
  return sql.execute({
    name: 'release_unseen',
    text: `
      with deleted as (delete from worker where seen_at < clock_timestamp() - interval '1 hour')
      update delivery set claimed_by = null
      where claimed_by is not null and not exists (
        select from worker
        where worker.id = claimed_by and worker.seen_at > clock_timestamp() - $1 * interval '1 millisecond')`,
    values: [unseenMs],
  });
}
