import type { MessageMetadata } from '@parley/contract/records/metadata';
import type { ScheduledMessage as ScheduledMessageJson } from '@parley/contract/records/scheduled-message';
import type { ScheduledMessage } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { conversationReference } from './conversation.ts';
import { basicIdentityJson } from './identity.ts';
import { notificationJson } from './notification.ts';
import { partJson } from './part.ts';
import { isoTime, isoTimeOrNull } from './time.ts';
import { conversationUrl, type View } from './view.ts';

export function scheduledMessageUrl(view: View, conversationId: string, id: string): string {
  return `${conversationUrl(view, conversationId)}/scheduled_messages/${id}`;
}

/** A scheduled message, for the application's server. */
export function scheduledMessageJson(view: View, scheduled: ScheduledMessage): ScheduledMessageJson {
  const { id = '', conversationId = '', parts = [], notification, metadata = '' } = scheduled.draft ?? {};
  return {
    id: view.wire.uri('messages', id),
    url: scheduledMessageUrl(view, conversationId, id),
    conversation: conversationReference(view, conversationId),
    sender: scheduled.sender ? basicIdentityJson(view, scheduled.sender) : null,
    parts: parts.map((part) => partJson(view, { id, conversationId }, part)),
    notification: notification ? notificationJson(notification) : null,
    ...(metadata !== '' && { metadata: JSON.parse(metadata) as MessageMetadata }),
    created_at: isoTime(scheduled.createdAt),
    send_at: isoTime(scheduled.dueAt),
    typing_indicator_at: isoTimeOrNull(scheduled.typingAt),
  };
}
