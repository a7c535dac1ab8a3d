import { lookUp } from '@parley/kit/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { JsonObject } from '@bufbuild/protobuf';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { WebhookEvent } from '@parley/domain/webhook-events';

/** A delivery with all that its attempt needs. */
export type ClaimedDelivery = {
  app_id: string;
  webhook_id: string;
  id: string;
  /** Attempts since the schedule began. */
  tries: number;
  type: WebhookEvent;
  /** parley.event.v1.Event */
  event: Uint8Array;
  target_url: string;
  secrets: Uint8Array;
  config: JsonObject | null;
};

export type Claim = {
  worker: string;
  now: number;
  /** Where to begin: the webhook that the last claim ended at. */
  after: { app_id: string; webhook_id: string };
  limit: number;
  /** How many more deliveries webhooks may get; `room` for those that are not named. */
  rooms: readonly { webhook_id: string; room: number }[];
  room: number;
};

const waiting = `status = ${DeliveryStatus.PENDING} and claimed_by is null`;

/**
 * Takes due deliveries of active webhooks, of each no more than it has room for, webhook by webhook. It skips from one
 * webhook to the next in the index, so that its cost is that of the webhooks which are owed something and not of all
 * that they are owed. The order is that of the one index which holds only what waits: whatever was settled is not passed.
 */
export function claimDeliveries(sql: Sql, claim: Claim): Promise<ClaimedDelivery[]> {
  return sql.query<ClaimedDelivery>({
    name: 'claim_deliveries',
    text: `
      with recursive owed as (
        (select app_id, webhook_id from delivery
          where ${waiting} and (app_id, webhook_id) > ($3::uuid, $4::uuid)
          order by app_id, webhook_id, due_at limit 1)
        union all
        select next.app_id, next.webhook_id from owed cross join lateral (
          select d.app_id, d.webhook_id from delivery d
          where ${waiting} and (d.app_id, d.webhook_id) > (owed.app_id, owed.webhook_id)
          order by d.app_id, d.webhook_id, d.due_at limit 1) next
      ), chosen as (
        select due.* from owed
        join ${lookUp('webhook', 'w', 'w.app_id = owed.app_id and w.id = owed.webhook_id')}
          on w.status = ${WebhookStatus.ACTIVE}
        left join unnest($6::uuid[], $7::int8[]) as known (webhook_id, room) on known.webhook_id = owed.webhook_id
        cross join lateral (
          select d.app_id, d.webhook_id, d.id, d.notice_id from delivery d
          where d.app_id = owed.app_id and d.webhook_id = owed.webhook_id and ${waiting}
            and d.due_at <= to_timestamp($2::float8 / 1000)
          order by d.due_at limit coalesce(known.room, $8)
          for no key update skip locked) due
        limit $5
      )
      update delivery d set claimed_by = $1
      from chosen
      join ${lookUp('webhook', 'w', 'w.app_id = chosen.app_id and w.id = chosen.webhook_id')} on true
      join ${lookUp('notice', 'n', 'n.app_id = chosen.app_id and n.id = chosen.notice_id')} on true
      where d.app_id = chosen.app_id and d.webhook_id = chosen.webhook_id and d.id = chosen.id
      returning d.app_id, d.webhook_id, d.id, d.tries, n.type, n.event, w.target_url, w.secrets, w.config`,
    values: [
      claim.worker,
      claim.now,
      claim.after.app_id,
      claim.after.webhook_id,
      claim.limit,
      claim.rooms.map(({ webhook_id }) => webhook_id),
      claim.rooms.map(({ room }) => room),
      claim.room,
    ],
  });
}
