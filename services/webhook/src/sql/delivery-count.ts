import type { Sql } from '@parley/kit/postgres';
import type { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';

/**
 * SQL, part of every statement that inserts, deletes or updates deliveries: records how the counts change. The statement has a
 * query `moved` with a row (app_id, webhook_id, status, delta) for each delivery that gets the status (1) or loses it (-1).
 */
export const INSERT_COUNT_DELTAS = `
      insert into delivery_count (app_id, webhook_id, status, delta)
      select app_id, webhook_id, status, sum(delta) from moved
      group by app_id, webhook_id, status having sum(delta) <> 0`;

/** The number of a webhook's deliveries with a status; UNSPECIFIED: any. */
export async function countDeliveries(
  sql: Sql,
  query: { appId: string; webhookId: string; status: DeliveryStatus },
): Promise<number> {
  const [row] = await sql.query<{ count: number }>({
    name: 'count_deliveries',
    text: `
      select coalesce(sum(delta), 0) as count from delivery_count
      where app_id = $1 and webhook_id = $2 and ($3 = 0 or status = $3)`,
    values: [query.appId, query.webhookId, query.status],
  });
  return row?.count ?? 0;
}

/** Adds up the deltas of the counts that have the most rows, atomically for readers. */
export async function foldDeliveryCounts(sql: Sql): Promise<void> {
  await sql.execute({
    text: `
      with moved as (
        delete from delivery_count
        where ctid = any (array(
          select c.ctid from (
            select app_id, webhook_id, status from delivery_count
            group by app_id, webhook_id, status having count(*) > 1 order by count(*) desc limit 1000
          ) folded join delivery_count c using (app_id, webhook_id, status)
          limit 100000
          for update of c skip locked))
        returning app_id, webhook_id, status, delta
      )
      ${INSERT_COUNT_DELTAS}`,
  });
}
