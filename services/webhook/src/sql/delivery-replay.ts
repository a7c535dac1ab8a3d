import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { DeliveryKey } from './delivery.ts';
import { INSERT_COUNT_DELTAS } from './delivery-count.ts';

const RESTARTED = `status = ${DeliveryStatus.PENDING}, tries = 0, settled_at = null`;

/** SQL: the changes of the counts when deliveries, with the status that they had before, become pending. */
function countDeltasToPending(changed: string): string {
  return `
        select app_id, webhook_id, step.status, step.delta from ${changed}
        cross join lateral (values (${changed}.status, -1), (${DeliveryStatus.PENDING}::int2, 1)) as step (status, delta)
      `;
}

/** Makes a delivery due, with a new schedule of attempts. False when there is no such delivery. */
export async function replayDelivery(sql: Sql, key: DeliveryKey, now: number): Promise<boolean> {
  const changed = await sql.execute({
    text: `
      with old as (
        select app_id, webhook_id, id, status from delivery
        where app_id = $1 and webhook_id = $2 and id = $3 for no key update
      ), changed as (
        update delivery d set ${RESTARTED}, due_at = to_timestamp($4::float8 / 1000) from old
        where d.app_id = old.app_id and d.webhook_id = old.webhook_id and d.id = old.id
        returning old.app_id, old.webhook_id, old.status
      ), moved as (${countDeltasToPending('changed')}), counted as (${INSERT_COUNT_DELTAS})
      select from changed`,
    values: [key.appId, key.webhookId, key.id, now],
  });
  return changed > 0;
}

export type ReplayRange = {
  appId: string;
  webhookId: string;
  status: DeliveryStatus;
  /** Times of the events, in milliseconds; `until` is excluded. */
  from: number;
  until: number;
  now: number;
  /** Delivery after which the page begins. */
  after: string;
  limit: number;
};

/** Makes at most `limit` deliveries due, by id; returns their ids. */
export async function replayRange(sql: Sql, range: ReplayRange): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    text: `
      with changed as (
        update delivery d set ${RESTARTED}, due_at = to_timestamp($6::float8 / 1000)
        where d.app_id = $1 and d.webhook_id = $2 and d.status = $3 and d.id in (
          select d.id from delivery d
          join ${lookUp('notice', 'n', 'n.app_id = d.app_id and n.id = d.notice_id')} on true
          where d.app_id = $1 and d.webhook_id = $2 and d.status = $3
            and n.event_at >= to_timestamp($4::float8 / 1000) and n.event_at < to_timestamp($5::float8 / 1000)
            and d.id > $7
          order by d.id limit $8)
        returning d.app_id, d.webhook_id, d.id, $3::int2 as status
      ), moved as (${countDeltasToPending('changed')}), counted as (${INSERT_COUNT_DELTAS})
      select id from changed`,
    values: [
      range.appId,
      range.webhookId,
      range.status,
      range.from,
      range.until,
      range.now,
      range.after,
      range.limit,
    ],
  });
  return rows.map(({ id }) => id).sort();
}
