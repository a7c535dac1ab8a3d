import { create } from '@parley/codec';
import { EventSchema, PushSettledSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import type { ClaimedDelivery } from '../sql/delivery-claim.ts';
import type { Settlement } from '../sql/delivery-settlement.ts';

/**
 * The event by which other services learn that a push was delivered, or failed for good; undefined when none of them awaits it,
 * or the delivery is not settled. `incarnation`: of the recipient.
 */
export function settledEvent(
  delivery: ClaimedDelivery,
  { status, at, reason }: Settlement,
  incarnation: number,
): Event | undefined {
  const isDelivered = status === PushDeliveryStatus.DELIVERED;
  if (!delivery.is_awaited || (!isDelivered && status !== PushDeliveryStatus.DEAD)) return undefined;
  const value = create(PushSettledSchema, {
    recipient: { userId: delivery.user_id, incarnation },
    deviceId: delivery.device_id,
    provider: delivery.provider,
    conversationId: delivery.conversation_id ?? '',
    messageId: delivery.message_id ?? '',
    delivered: isDelivered,
    attempts: delivery.attempts + 1,
    ...(reason !== null && { reason }),
  });
  const { id, app_id: appId } = delivery;
  return create(EventSchema, { id, appId, createdAt: at, body: { case: 'pushSettled', value } });
}
