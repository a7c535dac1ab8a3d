import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { DeliverySchema, DeliveryStatus, type Delivery } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { INSERT_COUNT_DELTAS } from './delivery-count.ts';

const COLUMNS = `
  d.app_id, d.webhook_id, d.id, d.notice_id as event_id, n.type as event_type, n.event_at, d.status, d.attempt_count,
  d.created_at, case when d.status = ${DeliveryStatus.PENDING} then d.due_at end as next_attempt_at, d.settled_at`;
const DELIVERY_WITH_NOTICE = `delivery d join ${lookUp('notice', 'n', 'n.app_id = d.app_id and n.id = d.notice_id')} on true`;

export type DeliveryKey = { appId: string; webhookId: string; id: string };

export type NewDelivery = DeliveryKey & { noticeId: string };

/** Stores deliveries that are due at once. A webhook gets one delivery of each notice: further ones are left out. */
export async function insertDeliveries(
  sql: Sql,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  await sql.execute({
    name: 'insert_deliveries',
    text: `
      with added as (
        insert into delivery (app_id, webhook_id, id, notice_id, created_at, due_at)
        select row.app_id, row.webhook_id, row.id, row.notice_id, at, at
        from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as row (app_id, webhook_id, id, notice_id),
          to_timestamp($5::float8 / 1000) as at
        order by row.app_id, row.notice_id, row.webhook_id
        on conflict do nothing returning app_id, webhook_id, status
      ), moved as (select app_id, webhook_id, status, 1 as delta from added)
      ${INSERT_COUNT_DELTAS}`,
    values: [
      deliveries.map(({ appId }) => appId),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ id }) => id),
      deliveries.map(({ noticeId }) => noticeId),
      now,
    ],
  });
}

/** A delivery with its attempts. */
export async function findDelivery(sql: Sql, key: DeliveryKey): Promise<Delivery | undefined> {
  const rows = await sql.query<JsonValue>({
    text: `
      select ${COLUMNS}, d.attempts from ${DELIVERY_WITH_NOTICE} where d.app_id = $1 and d.webhook_id = $2 and d.id = $3`,
    values: [key.appId, key.webhookId, key.id],
  });
  return toDeliveries(rows)[0];
}

export type DeliveryQuery = {
  appId: string;
  webhookId: string;
  /** UNSPECIFIED: any. */
  status: DeliveryStatus;
  /** Deliveries older than this one; undefined: from the newest. */
  before: string | undefined;
  limit: number;
};

/** Deliveries of a webhook, newest first. */
export async function listDeliveries(sql: Sql, query: DeliveryQuery): Promise<Delivery[]> {
  const rows = await sql.query<JsonValue>({
    text: `
      select ${COLUMNS} from ${DELIVERY_WITH_NOTICE}
      where d.app_id = $1 and d.webhook_id = $2 and ($3 = 0 or d.status = $3) and ($4::uuid is null or d.id < $4)
      order by d.id desc limit $5`,
    values: [query.appId, query.webhookId, query.status, query.before ?? null, query.limit],
  });
  return toDeliveries(rows);
}

function toDeliveries(rows: JsonValue[]): Delivery[] {
  return rows.map((row) => fromJson(DeliverySchema, row));
}
