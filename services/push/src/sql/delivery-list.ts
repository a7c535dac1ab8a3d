import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { Sql } from '@parley/kit/postgres';
import {
  PushDeliverySchema,
  PushDeliveryStatus,
  type PushDelivery,
} from '@parley/proto/parley/push/v1/push_pb';

/** Whether a delivery was for the person who has the user id now, and not for an erased one. */
const IS_HELD = `not exists (
        select from erased_user e
        where e.app_id = delivery.app_id and e.user_id = delivery.user_id and e.erased_at >= delivery.created_at)`;

export type UserKey = { appId: string; userId: string };

export async function hasDelivery(
  sql: Sql,
  { appId, userId, id }: UserKey & { id: string },
): Promise<boolean> {
  const rows = await sql.query({
    name: 'has_delivery',
    text: `
      select from delivery
      where app_id = $1 and user_id = $2 and id = $3 and withdrawal_version is null and ${IS_HELD} limit 1`,
    values: [appId, userId, id],
  });
  return rows.length > 0;
}

/** Deliveries to a user without their texts, newest first; those older than `before`. */
export async function listDeliveries(
  sql: Sql,
  { appId, userId, before, limit }: UserKey & { before: string | undefined; limit: number },
): Promise<PushDelivery[]> {
  const rows = await sql.query<JsonValue>({
    name: 'list_deliveries',
    text: `
      select id, device_id, provider, conversation_id, message_id, status, attempts, reason, created_at,
        case when status = ${PushDeliveryStatus.PENDING} then due_at end as next_attempt_at, settled_at
      from delivery
      where app_id = $1 and user_id = $2 and withdrawal_version is null and ($3::uuid is null or id < $3)
        and ${IS_HELD}
      order by id desc limit $4`,
    values: [appId, userId, before ?? null, limit],
  });
  return rows.map((row) => fromJson(PushDeliverySchema, row));
}

/** How many deliveries to a user are kept. */
export async function countDeliveries(sql: Sql, { appId, userId }: UserKey): Promise<number> {
  const [row] = await sql.query<{ total: number }>({
    name: 'count_deliveries',
    text: `
      select count(*)::float8 as total from delivery
      where app_id = $1 and user_id = $2 and withdrawal_version is null and ${IS_HELD}`,
    values: [appId, userId],
  });
  return row?.total ?? 0;
}
