import { keepPlaces } from '@parley/kit/durable/gone-items';
import type { Database, Sql } from '@parley/kit/postgres';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { INSERT_COUNT_DELTAS } from './delivery-count.ts';

type DeletedDelivery = { app_id: string; notice_id: string };

/** Deletes at most `limit` deliveries that were settled before a time, and notices without deliveries; returns how many. */
export function deleteSettledBefore(
  db: Database,
  { status, before, limit }: { status: DeliveryStatus; before: number; limit: number },
): Promise<number> {
  return deleteChosen(db, {
    choice: `
      select app_id, webhook_id, id, ctid from delivery
      where status = $1 and status <> ${DeliveryStatus.PENDING} and settled_at < to_timestamp($2::float8 / 1000)
      limit $3`,
    values: [status, before, limit],
  });
}

/** SQL: ids that are made at a time, in milliseconds, are not below it. */
const ID_AT = `(lpad(to_hex(floor($1::float8)::int8), 12, '0') || repeat('0', 20))::uuid`;

/** Deletes pending deliveries of inactive webhooks that were created before a time. Ids are in the order of time, so they find these rows. */
export function deletePendingOfInactiveBefore(db: Database, before: number, limit: number): Promise<number> {
  return deleteChosen(db, {
    choice: `
      select d.app_id, d.webhook_id, d.id, d.ctid from webhook w join delivery d on d.app_id = w.app_id and d.webhook_id = w.id
      where w.status = ${WebhookStatus.INACTIVE} and d.status = ${DeliveryStatus.PENDING} and d.id < ${ID_AT}
        and d.claimed_by is null and d.created_at < to_timestamp($1::float8 / 1000)
      limit $2`,
    values: [before, limit],
  });
}

/** Deletes deliveries of deleted webhooks. */
export function deleteOfRemovedWebhooks(db: Database, limit: number): Promise<number> {
  return deleteChosen(db, {
    choice: `
      select d.app_id, d.webhook_id, d.id, d.ctid from removed_webhook w join delivery d on d.app_id = w.app_id and d.webhook_id = w.id limit $1`,
    values: [limit],
    isListed: false,
  });
}

/** Deletes the records of webhooks that were deleted before a time. */
export async function forgetWebhooksRemovedBefore(sql: Sql, before: number): Promise<void> {
  await sql.execute({
    text: 'delete from removed_webhook where removed_at < to_timestamp($1::float8 / 1000)',
    values: [before],
  });
}

/** `isListed`: a page of a list may begin behind one of them. */
function deleteChosen(
  db: Database,
  { choice, values, isListed = true }: { choice: string; values: number[]; isListed?: boolean },
): Promise<number> {
  return db.tx(async (tx) => {
    const deleted = await tx.query<DeletedDelivery>({
      text: `
        with deleted as (
          delete from delivery where (app_id, webhook_id, id, ctid) in (${choice})
          returning app_id, webhook_id, id, notice_id, status
        )${isListed ? `, kept as (${keepPlaces('deleted', { list: 'webhook_id::text' })})` : ''}, moved as (
          select app_id, webhook_id, status, -1 as delta from deleted
        ), counted as (${INSERT_COUNT_DELTAS})
        select app_id, notice_id from deleted`,
      values,
    });
    if (deleted.length > 0) await deleteUnreferencedNotices(tx, deleted);
    return deleted.length;
  });
}

async function deleteUnreferencedNotices(sql: Sql, deleted: readonly DeletedDelivery[]): Promise<void> {
  await sql.execute({
    text: `
      delete from notice n using unnest($1::uuid[], $2::uuid[]) as deleted (app_id, id)
      where n.app_id = deleted.app_id and n.id = deleted.id
        and not exists (select from delivery d where d.app_id = n.app_id and d.notice_id = n.id)`,
    values: [deleted.map(({ app_id }) => app_id), deleted.map(({ notice_id }) => notice_id)],
  });
}
