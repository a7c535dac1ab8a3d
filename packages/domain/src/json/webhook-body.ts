import type { JsonObject } from '@bufbuild/protobuf';
import type { ShadowableMessageReference } from '@parley/contract/records/reference';
import type { Notice as NoticeJson } from '@parley/contract/records/webhook-event';
import type {
  Event,
  IdentityChanged,
  MessagePartsChanged,
  ReceiptRecorded,
  RestrictionChanged,
} from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { ReceiptType, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { wholeParts } from '../events/changed-parts.ts';
import { partUri } from '../ids.ts';
import type { RecipientStatuses } from '../receipts.ts';
import type { WebhookEvent } from '../events/webhook-events.ts';
import { conversationJson, conversationReference } from './conversation.ts';
import { basicIdentityJson, identityJson } from './identity.ts';
import { messageJson, messageReference } from './message.ts';
import { restrictionJson } from './restriction.ts';
import { partJson } from './part.ts';
import { settledPushJson } from './push.ts';
import { changedReactionJson } from './reaction-record.ts';
import { isoTime } from './time.ts';
import { messageUrl, partUrl, type View } from './view.ts';

type HeadName = 'event' | 'actor' | 'config';
/** The body of a notice, without the properties common to all notices. */
type Subject = WithoutHead<NoticeJson>;
type WithoutHead<N> = N extends unknown ? Omit<N, HeadName> : never;

/** One notice to a webhook: the event contains only the data of this type. */
export type Notice = { type: WebhookEvent; event: Event };

export type NoticeExtras = {
  /** Statuses of a message's recipients, by user id. */
  statuses?: RecipientStatuses | undefined;
  config?: JsonObject | undefined;
};

/** Body of a delivery. Fails with a TypeError for an event that has no notice. docs/protocol/webhooks.md#body-of-a-delivery */
export function webhookBodyJson(
  view: View,
  { type, event }: Notice,
  { statuses, config }: NoticeExtras,
): Pick<NoticeJson, HeadName> & Subject {
  return {
    event: {
      id: event.id,
      type,
      created_at: isoTime(event.createdAt),
      ...(event.isTest && { test: true as const }),
    },
    actor: event.actor ? basicIdentityJson(view, event.actor) : null,
    ...(config && { config }),
    ...subjectJson(view, { type, event }, statuses),
  };
}

function subjectJson(view: View, { type, event }: Notice, statuses?: RecipientStatuses): Subject {
  const { body } = event;
  switch (body.case) {
    case 'messageCreated':
    case 'messageDeleted':
    case 'messageUpdated':
      return ofMessage(view, body.value.message, statuses);
    case 'messagePartsChanged':
      return type === 'Message.updated'
        ? ofMessage(view, body.value.message, statuses)
        : partChangeJson(view, event.conversationId, body.value);
    case 'reactionsChanged':
      return changedReactionJson(view, event.conversationId, body.value);
    case 'receiptRecorded':
      return receiptJson(view, event.conversationId, body.value);
    case 'conversationCreated':
    case 'conversationDeleted':
      return ofConversation(view, body.value.conversation);
    case 'conversationUpdated':
      if (type === 'Conversation.updated' || type === 'Participation.updated')
        return ofConversation(view, body.value.conversation);
      return participationJson(
        view,
        event.conversationId,
        type === 'Participation.created' ? body.value.added : body.value.removed,
      );
    case 'restrictionChanged':
      return restrictionSubject(view, event.conversationId, body.value);
    case 'identityChanged':
      return changedIdentityJson(view, body.value);
    case 'pushSettled':
      return settledPushJson(view, event.id, body.value);
    default:
      throw new TypeError(`no notice is made of the event ${body.case ?? 'without a body'}`);
  }
}

function ofMessage(view: View, message: Message | undefined, statuses?: RecipientStatuses): Subject {
  if (!message) throw new TypeError('an event of a message without the message');
  return { message: messageJson(view, message, statuses) };
}

function ofConversation(view: View, conversation: Conversation | undefined): Subject {
  if (!conversation) throw new TypeError('an event of a conversation without the conversation');
  return { conversation: conversationJson(view, conversation) };
}

// Metadata are left out if the event does not contain them.
function changedIdentityJson(view: View, { identity, metadataLeftOut, presence }: IdentityChanged): Subject {
  if (!identity) throw new TypeError('an event of an identity without the identity');
  const { metadata, ...others } = identityJson(view, identity, presence);
  return { identity: metadataLeftOut ? others : { ...others, metadata } };
}

/** A deleted part has only its id and addresses. */
function partChangeJson(view: View, conversationId: string, change: MessagePartsChanged): Subject {
  const { removedPartIds, messageId, message } = change;
  const [part] = wholeParts([...change.added, ...change.updated], message);
  const parent = { id: messageId, conversationId };
  const partId = part?.id ?? removedPartIds[0] ?? '';
  const message_part = part
    ? partJson(view, parent, part)
    : {
        id: partUri(view.wire, messageId, partId),
        url: partUrl(view, parent, partId),
        message_url: messageUrl(view, conversationId, messageId),
      };
  const reference: ShadowableMessageReference = messageReference(view, conversationId, messageId);
  if (message?.shadowed) reference.shadowed = true;
  return { message_part, message: reference };
}

function receiptJson(view: View, conversationId: string, receipt: ReceiptRecorded): Subject {
  const { type, position, messageId } = receipt;
  return {
    receipt: {
      type: type === ReceiptType.READ ? 'Read' : 'Delivery',
      positions: { from: position, to: position },
    },
    message: messageReference(view, conversationId, messageId),
    conversation: conversationReference(view, conversationId),
  };
}

/** `conversation` is null where the restriction holds in the whole application. */
export function restrictionSubject(view: View, conversationId: string, { restriction }: RestrictionChanged) {
  if (!restriction) throw new TypeError('an event of a restriction without the restriction');
  return {
    restriction: restrictionJson(view, restriction),
    conversation: conversationId === '' ? null : conversationReference(view, conversationId),
  };
}

function participationJson(view: View, conversationId: string, people: readonly BasicIdentity[]): Subject {
  return {
    changes: people.map((identity) => basicIdentityJson(view, identity)),
    conversation: conversationReference(view, conversationId),
  };
}
