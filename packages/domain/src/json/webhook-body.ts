import type { JsonObject } from '@bufbuild/protobuf';
import type { Event, IdentityChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { wholeParts } from '../events/changed-parts.ts';
import { partUri } from '../ids.ts';
import type { RecipientStatuses } from '../receipts.ts';
import type { WebhookEvent } from '../events/webhook-events.ts';
import { conversationJson, conversationReference } from './conversation.ts';
import { basicIdentityJson, identityJson } from './identity.ts';
import { messageJson, messageReference } from './message.ts';
import { partJson } from './part.ts';
import { isoTime } from './time.ts';
import { messageUrl, partUrl, type View } from './view.ts';

/** One notice to a webhook: the event holds only the data of this type. */
export type Notice = { type: WebhookEvent; event: Event };

export type NoticeExtras = {
  /** Of a message, by user id. */
  statuses?: RecipientStatuses | undefined;
  config?: JsonObject | undefined;
};

/** Body of a delivery. SPEC completions 7 */
export function webhookBodyJson(
  view: View,
  { type, event }: Notice,
  { statuses, config }: NoticeExtras,
): object {
  return {
    event: { id: event.id, type, created_at: isoTime(event.createdAt) },
    actor: event.actor ? basicIdentityJson(view, event.actor) : null,
    ...(config && { config }),
    ...subjectJson(view, { type, event }, statuses),
  };
}

function subjectJson(view: View, { type, event }: Notice, statuses?: RecipientStatuses): object {
  const { body } = event;
  switch (body.case) {
    case 'messageCreated':
    case 'messageDeleted': {
      const { message } = body.value;
      return { message: message ? messageJson(view, message, statuses) : null };
    }
    case 'messagePartsChanged':
      return type === 'Message.updated' ? updatedJson(view, event, statuses) : partChangeJson(view, event);
    case 'receiptRecorded':
      return receiptJson(view, event);
    case 'conversationCreated':
    case 'conversationDeleted':
      return {
        conversation: body.value.conversation ? conversationJson(view, body.value.conversation) : null,
      };
    case 'conversationUpdated':
      return conversationChangeJson(view, { type, event });
    case 'identityChanged':
      return { identity: changedIdentityJson(view, body.value) };
    default:
      return {};
  }
}

// Without metadata that the event does not hold.
function changedIdentityJson(
  view: View,
  { identity, metadataLeftOut, presence }: IdentityChanged,
): object | null {
  if (!identity) return null;
  const { metadata, ...others } = identityJson(view, identity, presence);
  return metadataLeftOut ? others : { ...others, metadata };
}

function updatedJson(view: View, { body }: Event, statuses?: RecipientStatuses): object {
  const message = body.case === 'messagePartsChanged' ? body.value.message : undefined;
  return { message: message ? messageJson(view, message, statuses) : null };
}

/** A deleted part has only its id and addresses. */
function partChangeJson(view: View, event: Event): object {
  if (event.body.case !== 'messagePartsChanged') return {};
  const { removedPartIds, messageId, message } = event.body.value;
  const [part] = wholeParts([...event.body.value.added, ...event.body.value.updated], message);
  const parent = { id: messageId, conversationId: event.conversationId };
  const partId = part?.id ?? removedPartIds[0] ?? '';
  const message_part = part
    ? partJson(view, parent, part)
    : {
        id: partUri(view.wire, messageId, partId),
        url: partUrl(view, parent, partId),
        message_url: messageUrl(view, event.conversationId, messageId),
      };
  return { message_part, message: messageReference(view, event.conversationId, messageId) };
}

function receiptJson(view: View, event: Event): object {
  if (event.body.case !== 'receiptRecorded') return {};
  const { type, position, messageId } = event.body.value;
  return {
    receipt: {
      type: type === ReceiptType.READ ? 'Read' : 'Delivery',
      positions: { from: position, to: position },
    },
    message: messageReference(view, event.conversationId, messageId),
    conversation: conversationReference(view, event.conversationId),
  };
}

function conversationChangeJson(view: View, { type, event }: Notice): object {
  if (event.body.case !== 'conversationUpdated') return {};
  const { conversation, added, removed } = event.body.value;
  if (type === 'Conversation.updated') {
    return { conversation: conversation ? conversationJson(view, conversation) : null };
  }
  const changed: BasicIdentity[] = type === 'Participation.created' ? added : removed;
  return {
    changes: changed.map((identity) => basicIdentityJson(view, identity)),
    conversation: conversationReference(view, event.conversationId),
  };
}
