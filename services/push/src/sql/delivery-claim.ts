import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import type { ClaimRequest } from '@parley/outbound/turns/claim';
import { jsonByKey } from '@parley/outbound/turns/json-by-key';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import type { Provider } from '../provider/route.ts';

/** A delivery with everything that an attempt needs. */
export type ClaimedDelivery = {
  app_id: string;
  target_id: string;
  id: string;
  event_id: string;
  user_id: string;
  device_id: string;
  provider: Provider;
  conversation_id: string | null;
  message_id: string | null;
  /** Milliseconds. */
  created_at: number;
  expires_at: number;
  /** Attempts so far. */
  attempts: number;
  /** Another service awaits its result. */
  is_awaited: boolean;
  /** parley.push.v1.PushContent */
  content: Uint8Array;
};

export type Claim = ClaimRequest & { worker: string; now: number };

const WAITING = `status = ${PushDeliveryStatus.PENDING} and claimed_by is null`;

/**
 * Claims due deliveries, application by application and within each target by target, up to their shares and capacities. As the
 * webhook service does, the query skips from target to target in an index of waiting deliveries only.
 */
export function claimDeliveries(sql: Sql, claim: Claim): Promise<ClaimedDelivery[]> {
  return sql.query<ClaimedDelivery>({
    name: 'claim_deliveries',
    text: `
      with recursive app as (
        (select app_id from delivery where ${WAITING} and app_id > $3::uuid
          order by app_id, target_id, due_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select d.app_id from delivery d where ${WAITING} and d.app_id > app.app_id
          order by d.app_id, d.target_id, d.due_at limit 1) next
      ), chosen as (
        select taken.* from app
        cross join lateral (${dueDeliveriesOfApp('app.app_id')}
          limit coalesce(($7::jsonb ->> app.app_id::text)::int8, $9)) taken
        limit $4
      )
      update delivery d set claimed_by = $1
      from chosen
      where d.app_id = chosen.app_id and d.target_id = chosen.target_id and d.id = chosen.id
      returning d.app_id, d.target_id, d.id, d.event_id, d.user_id, d.device_id, d.provider, d.conversation_id, d.message_id,
        d.created_at, d.expires_at, d.attempts, d.is_awaited, d.content`,
    values: [
      claim.worker,
      claim.now,
      claim.after,
      claim.limit,
      jsonByKey(claim.capacities, ({ targetId, capacity }) => [targetId, capacity]),
      claim.capacity,
      jsonByKey(claim.shares, ({ appId, share }) => [appId, share]),
      jsonByKey(claim.shares, ({ appId, afterTargetId }) => [appId, afterTargetId]),
      claim.share,
    ],
  });
}

/** SQL: due deliveries of one application, of each target up to its capacity, after the target at which the last claim ended. */
function dueDeliveriesOfApp(appId: string): string {
  return `
          with recursive waiting as (
            (select target_id from delivery
              where ${WAITING} and app_id = ${appId} and target_id > coalesce(($8::jsonb ->> ${appId}::text)::uuid, '${NIL_UUID}')
              order by app_id, target_id, due_at limit 1)
            union all
            select next.target_id from waiting cross join lateral (
              select d.target_id from delivery d
              where ${WAITING} and d.app_id = ${appId} and d.target_id > waiting.target_id
              order by d.app_id, d.target_id, d.due_at limit 1) next
          )
          select due.* from waiting
          cross join lateral (
            select d.app_id, d.target_id, d.id from delivery d
            where d.app_id = ${appId} and d.target_id = waiting.target_id and ${WAITING}
              and d.due_at <= to_timestamp($2::float8 / 1000)
            order by d.due_at limit coalesce(($5::jsonb ->> waiting.target_id::text)::int8, $6)
            for no key update skip locked) due`;
}
