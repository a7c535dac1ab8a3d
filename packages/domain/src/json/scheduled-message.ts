import type { ScheduledMessage } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { conversationReference } from './conversation.ts';
import { basicIdentityJson, type BasicIdentityJson } from './identity.ts';
import type { Reference } from './message.ts';
import { notificationJson, type NotificationJson } from './notification.ts';
import { partJson, type PartJson } from './part.ts';
import { isoTime, isoTimeOrNull } from './time.ts';
import { conversationUrl, type View } from './view.ts';

export type ScheduledMessageJson = {
  /** Id of the message to be sent. */
  id: string;
  url: string;
  conversation: Reference;
  sender: BasicIdentityJson | null;
  parts: PartJson[];
  notification: NotificationJson | null;
  created_at: string;
  send_at: string;
  /** When the sender begins to appear typing. */
  typing_indicator_at: string | null;
};

export function scheduledMessageUrl(view: View, conversationId: string, id: string): string {
  return `${conversationUrl(view, conversationId)}/scheduled_messages/${id}`;
}

/** A scheduled message, for the application's server. */
export function scheduledMessageJson(view: View, scheduled: ScheduledMessage): ScheduledMessageJson {
  const { id = '', conversationId = '', parts = [], notification } = scheduled.draft ?? {};
  return {
    id: view.wire.uri('messages', id),
    url: scheduledMessageUrl(view, conversationId, id),
    conversation: conversationReference(view, conversationId),
    sender: scheduled.sender ? basicIdentityJson(view, scheduled.sender) : null,
    parts: parts.map((part) => partJson(view, { id, conversationId }, part)),
    notification: notification ? notificationJson(notification) : null,
    created_at: isoTime(scheduled.createdAt),
    send_at: isoTime(scheduled.dueAt),
    typing_indicator_at: isoTimeOrNull(scheduled.typingAt),
  };
}
