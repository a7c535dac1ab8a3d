import type { Message as MessageJson, RecipientStatus } from '@parley/contract/records/message';
import type { MessageMetadata } from '@parley/contract/records/metadata';
import type { Reference } from '@parley/contract/records/reference';
import type { ConversationReceipts, Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { identityUri } from '../ids.ts';
import { recipientStatus, type RecipientStatuses } from '../receipts.ts';
import type { Wire } from '../wire.ts';
import { basicIdentityJson } from './identity.ts';
import { notificationJson } from './notification.ts';
import { partJson } from './part.ts';
import { reactionsJson } from './reaction.ts';
import { isoTime, isoTimeOrNull } from './time.ts';
import { conversationUrl, messageUrl, type View } from './view.ts';

/** The statuses by user id, or the receipts from which they are derived. docs/protocol/records.md#message */
export function messageJson(
  view: View,
  message: Message,
  receipts?: ConversationReceipts | RecipientStatuses,
): MessageJson {
  const statuses = isStatuses(receipts) ? receipts : recipientStatus(receipts, message);
  const isServer = view.audience === 'server';
  const url = messageUrl(view, message.conversationId, message.id);
  const sentAt = isoTime(message.sentAt);
  const json: MessageJson = {
    id: view.wire.uri('messages', message.id),
    url,
    receipts_url: isServer ? null : `${url}/receipts`,
    position: message.position,
    conversation: {
      id: view.wire.uri('conversations', message.conversationId),
      url: conversationUrl(view, message.conversationId),
    },
    parts: message.parts.map((part) => partJson(view, message, part)),
    sent_at: sentAt,
    received_at: isServer ? null : sentAt,
    sender: message.sender ? basicIdentityJson(view, message.sender) : null,
    is_unread: isServer ? null : isUnread(view, message, statuses),
    recipient_status: statusJson(view.wire, statuses),
    updated_at: isoTimeOrNull(message.updatedAt),
  };
  if (message.notification) json.notification = notificationJson(message.notification);
  if (message.metadata !== '') json.metadata = JSON.parse(message.metadata) as MessageMetadata;
  if (isServer && message.shadowed) json.shadowed = true;
  if (message.reactions.length > 0) json.reactions = reactionsJson(view.wire, message.reactions);
  return json;
}

function isStatuses(given: ConversationReceipts | RecipientStatuses | undefined): given is RecipientStatuses {
  return given instanceof Map;
}

// A message of low significance is also unread until it is read, but is not counted.
function isUnread(view: View, message: Message, statuses: RecipientStatuses): boolean {
  if (message.isUnread !== undefined) return message.isUnread;
  if (view.userId === undefined || view.userId === message.sender?.userId) return false;
  const status = statuses.get(view.userId);
  return status !== undefined && status !== 'read';
}

function statusJson(wire: Wire, statuses: RecipientStatuses): Record<string, RecipientStatus> {
  const json: Record<string, RecipientStatus> = {};
  for (const [userId, status] of statuses) json[identityUri(wire, userId)] = status;
  return json;
}

export function messageReference(view: View, conversationId: string, id: string): Reference {
  return { id: view.wire.uri('messages', id), url: messageUrl(view, conversationId, id) };
}
