import type {
  Delivery as DeliveryJson,
  DeliveryAttempt as AttemptJson,
  DeliveryStatus as DeliveryStatusName,
  DeliveryWithAttempts as DeliveryDetailJson,
} from '@parley/contract/records/delivery';
import { DeliveryStatus, type Attempt, type Delivery } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { WebhookEvent } from '../events/webhook-events.ts';
import { isoTime, isoTimeOrNull } from './time.ts';
import type { View } from './view.ts';
import { webhookUri, webhookUrl } from './webhook.ts';

export const DELIVERY_STATUS_NAMES = {
  pending: DeliveryStatus.PENDING,
  delivered: DeliveryStatus.DELIVERED,
  dead: DeliveryStatus.DEAD,
} as const satisfies Record<DeliveryStatusName, DeliveryStatus>;

export function deliveryJson(view: View, delivery: Delivery): DeliveryJson {
  const { webhookId } = delivery;
  const url = webhookUrl(view, webhookId);
  return {
    id: delivery.id,
    url: `${url}/deliveries/${delivery.id}`,
    webhook: { id: webhookUri(view.wire, delivery.appId, webhookId), url },
    event: {
      id: delivery.eventId,
      type: delivery.eventType as WebhookEvent,
      created_at: isoTime(delivery.eventAt),
    },
    status: statusName(delivery.status),
    attempt_count: delivery.attemptCount,
    created_at: isoTime(delivery.createdAt),
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    settled_at: isoTimeOrNull(delivery.settledAt),
  };
}

/** JSON of a delivery with its attempts and its body. A body of undefined could not be made. */
export function deliveryDetailJson(
  view: View,
  delivery: Delivery,
  body: string | undefined,
): DeliveryDetailJson {
  return {
    ...deliveryJson(view, delivery),
    attempts: delivery.attempts.map(attemptJson),
    body: body === undefined ? null : (JSON.parse(body) as Record<string, unknown>),
  };
}

function attemptJson(attempt: Attempt): AttemptJson {
  return {
    at: isoTime(attempt.at),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus ?? null,
    response_body: attempt.responseBody ?? null,
    error: attempt.error ?? null,
  };
}

function statusName(status: DeliveryStatus): DeliveryStatusName {
  if (status === DeliveryStatus.DELIVERED) return 'delivered';
  return status === DeliveryStatus.DEAD ? 'dead' : 'pending';
}
