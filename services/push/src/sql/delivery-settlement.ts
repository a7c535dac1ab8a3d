import { keepPlaces } from '@parley/kit/durable/gone-items';
import type { Sql } from '@parley/kit/postgres';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';

/** The result of an attempt, or of one that was postponed. */
export type Settlement = {
  appId: string;
  targetId: string;
  id: string;
  status: PushDeliveryStatus;
  /** Milliseconds; when the next attempt is due. */
  dueAt: number;
  /** Milliseconds. */
  at: number;
  /** Whether the push service was asked. */
  isAttempt: boolean;
  /** Why it was not delivered. */
  reason: string | null;
};

/**
 * Stores the results of deliveries that the worker still holds, and returns their ids. The text of a settled delivery is
 * deleted.
 */
export async function settleDeliveries(
  sql: Sql,
  worker: string,
  settled: readonly Settlement[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    name: 'settle_deliveries',
    text: `
      update delivery d set status = row.status, due_at = to_timestamp(row.due_at / 1000),
        settled_at = case when row.status = ${PushDeliveryStatus.PENDING} then null else to_timestamp(row.at / 1000) end,
        content = case when row.status = ${PushDeliveryStatus.PENDING} then d.content end,
        claimed_by = null, attempts = d.attempts + row.is_attempt::int, reason = row.reason
      from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int2[], $6::float8[], $7::float8[], $8::bool[], $9::text[])
        as row (app_id, target_id, id, status, due_at, at, is_attempt, reason)
      where d.app_id = row.app_id and d.target_id = row.target_id and d.id = row.id
        and d.claimed_by is not distinct from $1::uuid and d.status = ${PushDeliveryStatus.PENDING}
      returning d.id`,
    values: [
      worker,
      settled.map(({ appId }) => appId),
      settled.map(({ targetId }) => targetId),
      settled.map(({ id }) => id),
      settled.map(({ status }) => status),
      settled.map(({ dueAt }) => dueAt),
      settled.map(({ at }) => at),
      settled.map(({ isAttempt }) => isAttempt),
      settled.map(({ reason }) => reason),
    ],
  });
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` deliveries that were settled before a time; returns how many. */
export function deleteSettledBefore(sql: Sql, before: number, limit: number): Promise<number> {
  return sql.execute({
    name: 'delete_settled_before',
    text: `
      with deleted as (
        delete from delivery where (app_id, target_id, id, ctid) in (
          select app_id, target_id, id, ctid from delivery
          where status <> ${PushDeliveryStatus.PENDING} and settled_at < to_timestamp($1::float8 / 1000) limit $2)
        returning app_id, user_id, id
      ), kept as (${keepPlaces('deleted', { list: 'user_id' })})
      select from deleted`,
    values: [before, limit],
  });
}
