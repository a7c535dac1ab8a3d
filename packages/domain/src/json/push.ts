import type { Push, PushProvider, PushStatus, SettledPush } from '@parley/contract/records/push';
import type { Reference } from '@parley/contract/records/reference';
import type { PushSettled } from '@parley/proto/parley/event/v1/event_pb';
import { PushDeliveryStatus, type PushDelivery } from '@parley/proto/parley/push/v1/push_pb';
import { identityUri } from '../ids.ts';
import type { Wire } from '../wire.ts';
import { conversationReference } from './conversation.ts';
import { messageReference } from './message.ts';
import { isoTime, isoTimeOrNull } from './time.ts';
import type { View } from './view.ts';

const STATUS_NAMES: Record<PushDeliveryStatus, PushStatus> = {
  [PushDeliveryStatus.UNSPECIFIED]: 'pending',
  [PushDeliveryStatus.PENDING]: 'pending',
  [PushDeliveryStatus.DELIVERED]: 'delivered',
  [PushDeliveryStatus.DEAD]: 'dead',
  [PushDeliveryStatus.DROPPED]: 'dropped',
};

/** A push to one device, as the application's server sees it. */
export function pushJson(wire: Wire, push: PushDelivery): Push {
  const { messageId, conversationId } = push;
  return {
    id: push.id,
    device_id: push.deviceId,
    provider: push.provider as PushProvider,
    message: messageId === undefined ? null : wire.uri('messages', messageId),
    conversation: conversationId === undefined ? null : wire.uri('conversations', conversationId),
    status: STATUS_NAMES[push.status],
    attempt_count: push.attempts,
    reason: push.reason ?? null,
    created_at: isoTime(push.createdAt),
    next_attempt_at: isoTimeOrNull(push.nextAttemptAt),
    settled_at: isoTimeOrNull(push.settledAt),
  };
}

/** JSON of a push that was delivered or failed permanently; `id` is the push's id. */
export function settledPushJson(
  view: View,
  id: string,
  push: PushSettled,
): { push: SettledPush; message: Reference | null; conversation: Reference | null } {
  const { conversationId, messageId } = push;
  return {
    push: {
      id,
      recipient: identityUri(view.wire, push.recipient?.userId ?? ''),
      device_id: push.deviceId,
      provider: push.provider as PushProvider,
      attempt_count: push.attempts,
      reason: push.reason ?? null,
    },
    message: messageId === '' ? null : messageReference(view, conversationId, messageId),
    conversation: conversationId === '' ? null : conversationReference(view, conversationId),
  };
}
