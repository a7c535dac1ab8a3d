import type { ClaimRequest } from '@parley/outbound/turns/claim';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { JsonObject } from '@bufbuild/protobuf';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { erasureOfNotice } from './erasure.ts';
import { jsonByKey } from '@parley/outbound/turns/json-by-key';
import type { WebhookEvent } from '@parley/domain/events/webhook-events';

/** A delivery with everything that an attempt needs. */
export type ClaimedDelivery = {
  app_id: string;
  webhook_id: string;
  /** The webhook, for the turns. */
  target_id: string;
  id: string;
  /** Attempts since the schedule began. */
  tries: number;
  type: WebhookEvent;
  /** parley.event.v1.Event */
  event: Uint8Array;
  target_url: string;
  secrets: Uint8Array;
  config: JsonObject | null;
  /** The notice is about an erased user, and about to be deleted. */
  is_erased: boolean;
};

export type Claim = ClaimRequest & { worker: string; now: number };

const WAITING = `status = ${DeliveryStatus.PENDING} and claimed_by is null`;

/**
 * Claims due deliveries of active webhooks, application by application and within each webhook by webhook, up to their shares
 * and capacities. The query skips from webhook to webhook in an index of waiting deliveries only, so its cost grows with the
 * number of webhooks that have any, not with the number of deliveries. Shares and capacities come as JSON objects, in which
 * Postgres finds a key at once: joined as rows, 300 webhooks cost 90,000 comparisons.
 */
export function claimDeliveries(sql: Sql, claim: Claim): Promise<ClaimedDelivery[]> {
  return sql.query<ClaimedDelivery>({
    name: 'claim_deliveries',
    text: `
      with recursive app as (
        (select app_id from delivery where ${WAITING} and app_id > $3::uuid
          order by app_id, webhook_id, due_at limit 1)
        union all
        select next.app_id from app cross join lateral (
          select d.app_id from delivery d where ${WAITING} and d.app_id > app.app_id
          order by d.app_id, d.webhook_id, d.due_at limit 1) next
      ), chosen as (
        select taken.* from app
        cross join lateral (${dueDeliveriesOfApp('app.app_id')}
          limit coalesce(($7::jsonb ->> app.app_id::text)::int8, $9)) taken
        limit $4
      )
      update delivery d set claimed_by = $1
      from chosen
      join ${lookUp('webhook', 'w', 'w.app_id = chosen.app_id and w.id = chosen.webhook_id')} on true
      join ${lookUp('notice', 'n', 'n.app_id = chosen.app_id and n.id = chosen.notice_id')} on true
      where d.app_id = chosen.app_id and d.webhook_id = chosen.webhook_id and d.id = chosen.id
      returning d.app_id, d.webhook_id, d.webhook_id as target_id, d.id, d.tries, n.type, n.event, w.target_url, w.secrets, w.config,
        exists (${erasureOfNotice('n')}) as is_erased`,
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

/**
 * SQL: due deliveries of one application, of each webhook up to its capacity, beginning after the webhook at which the last
 * claim ended.
 */
function dueDeliveriesOfApp(appId: string): string {
  return `
          with recursive waiting as (
            (select webhook_id from delivery
              where ${WAITING} and app_id = ${appId} and webhook_id > coalesce(($8::jsonb ->> ${appId}::text)::uuid, '${NIL_UUID}')
              order by app_id, webhook_id, due_at limit 1)
            union all
            select next.webhook_id from waiting cross join lateral (
              select d.webhook_id from delivery d
              where ${WAITING} and d.app_id = ${appId} and d.webhook_id > waiting.webhook_id
              order by d.app_id, d.webhook_id, d.due_at limit 1) next
          )
          select due.* from waiting
          join ${lookUp('webhook', 'w', `w.app_id = ${appId} and w.id = waiting.webhook_id`)}
            on w.status = ${WebhookStatus.ACTIVE}
          cross join lateral (
            select d.app_id, d.webhook_id, d.id, d.notice_id from delivery d
            where d.app_id = ${appId} and d.webhook_id = waiting.webhook_id and ${WAITING}
              and d.due_at <= to_timestamp($2::float8 / 1000)
            order by d.due_at limit coalesce(($5::jsonb ->> waiting.webhook_id::text)::int8, $6)
            for no key update skip locked) due`;
}
