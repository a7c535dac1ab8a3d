import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { toValue } from '@parley/domain/metadata/patch';
import {
  ConversationCreatedSchema,
  ConversationRelistedSchema,
  ConversationUpdatedSchema,
  MessageCreatedSchema,
  MessagePartsChangedSchema,
  MessageUpdatedSchema,
  RestrictionChangedSchema,
  type ConversationUpdated,
  type Event,
} from '@parley/proto/parley/event/v1/event_pb';
import {
  PatchOperationSchema,
  type Conversation,
  type PatchOperation,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';

/** The subject of an event as it is now; undefined: deleted, or not visible to the viewer. */
export type Subject = { message: Message | undefined; conversation: Conversation | undefined };

/** The event with its present body, or without a body when its subject is gone. */
export function showEvent(event: Event, { message, conversation }: Subject): Event {
  const { body } = event;
  switch (body.case) {
    case 'conversationCreated':
      return asConversationCreated(event, conversation);
    case 'conversationRelisted': {
      if (!conversation) return withoutBody(event);
      const value = create(ConversationRelistedSchema, { ...body.value, conversation });
      return { ...event, body: { case: body.case, value } };
    }
    case 'conversationUpdated': {
      if (!conversation) return asRemoval(event, body.value);
      const value = create(ConversationUpdatedSchema, { ...body.value, conversation });
      return { ...event, body: { case: body.case, value } };
    }
    case 'restrictionChanged': {
      // A server asked, whose events get the restrictions later; a user is shown their own of now.
      if (!conversation?.userView) return event;
      const { restriction } = conversation.userView;
      const value = create(RestrictionChangedSchema, {
        ended: !restriction,
        ...(restriction && { restriction }),
      });
      return { ...event, body: { case: body.case, value } };
    }
    case 'messageCreated': {
      if (!message) return withoutBody(event);
      const value = create(MessageCreatedSchema, { ...body.value, message });
      return { ...event, body: { case: body.case, value } };
    }
    case 'messagePartsChanged': {
      if (!message) return withoutBody(event);
      const added = currentParts(body.value.added, message);
      const updated = currentParts(body.value.updated, message);
      const value = create(MessagePartsChangedSchema, { ...body.value, message, added, updated });
      return { ...event, body: { case: body.case, value } };
    }
    case 'messageUpdated': {
      if (!message) return withoutBody(event);
      const operations = [presentMetadata(message)];
      const value = create(MessageUpdatedSchema, { ...body.value, message, operations });
      return { ...event, body: { case: body.case, value } };
    }
    default:
      return event;
  }
}

/** One step that makes the metadata what they are. */
function presentMetadata({ metadata }: Message): PatchOperation {
  if (metadata === '')
    return create(PatchOperationSchema, { step: { case: 'deleteMetadata', value: { path: [] } } });
  const value = toValue(JSON.parse(metadata) as JsonObject);
  return create(PatchOperationSchema, { step: { case: 'setMetadata', value: { path: [], value } } });
}

/** A user who was removed gets no later event, so of a conversation that was deleted since they still get their removal. */
function asRemoval(event: Event, { removed, removedUserIds }: ConversationUpdated): Event {
  if (removedUserIds.length === 0) return withoutBody(event);
  const value = create(ConversationUpdatedSchema, { removed, removedUserIds });
  return { ...event, body: { case: 'conversationUpdated', value } };
}

/** A conversation.created event in the place of the given event. */
export function asConversationCreated(event: Event, conversation: Conversation | undefined): Event {
  if (!conversation) return withoutBody(event);
  const value = create(ConversationCreatedSchema, { conversation });
  return { ...event, body: { case: 'conversationCreated', value } };
}

export function withoutBody(event: Event): Event {
  return { ...event, body: { case: undefined } };
}

/**
 * The event as the user originally got it: a user who was added, or had hidden the conversation, got the whole
 * conversation. Undefined: its subject is gone.
 */
export function showToUser(event: Event, userId: string): Event | undefined {
  const { body } = event;
  if (body.case === undefined) return undefined;
  if (body.case === 'conversationRelisted') return asConversationCreated(event, body.value.conversation);
  if (body.case !== 'conversationUpdated') return event;
  const { added, removedUserIds, conversation } = body.value;
  if (!conversation) return removedUserIds.includes(userId) ? event : undefined;
  return added.some((identity) => identity.userId === userId)
    ? asConversationCreated(event, conversation)
    : event;
}

function currentParts(parts: readonly Part[], message: Message): Part[] {
  const ids = new Set(parts.map((part) => part.id));
  return message.parts.filter((part) => ids.has(part.id));
}
