import { chooseDueDeliveries, claimValues, type Claim } from '@parley/outbound/turns/claim-sql';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { JsonObject } from '@bufbuild/protobuf';
import { DeliveryStatus, WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { erasureOfNotice } from './erasure.ts';
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
  /** Trace of the request that led to the event, if that is traced. */
  traceparent: string | null;
};

const DUE = chooseDueDeliveries({
  target: 'webhook_id',
  waiting: `status = ${DeliveryStatus.PENDING} and claimed_by is null`,
  joinTarget: `
          join ${lookUp('webhook', 'w', 'w.app_id = app.app_id and w.id = waiting.webhook_id')}
            on w.status = ${WebhookStatus.ACTIVE}`,
  columns: 'd.notice_id',
});

/** Claims due deliveries of active webhooks, application by application and within each webhook by webhook. */
export function claimDeliveries(sql: Sql, claim: Claim): Promise<ClaimedDelivery[]> {
  return sql.query<ClaimedDelivery>({
    name: 'claim_deliveries',
    text: `${DUE}
      update delivery d set claimed_by = $1
      from chosen
      join ${lookUp('webhook', 'w', 'w.app_id = chosen.app_id and w.id = chosen.webhook_id')} on true
      join ${lookUp('notice', 'n', 'n.app_id = chosen.app_id and n.id = chosen.notice_id')} on true
      where d.app_id = chosen.app_id and d.webhook_id = chosen.webhook_id and d.id = chosen.id
      returning d.app_id, d.webhook_id, d.webhook_id as target_id, d.id, d.tries, n.type, n.event, n.traceparent, w.target_url, w.secrets, w.config,
        exists (${erasureOfNotice('n')}) as is_erased`,
    values: claimValues(claim),
  });
}
