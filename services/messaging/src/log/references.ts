import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { create } from '@parley/codec';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ConversationSchema, RestrictionSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import {
  MessageReactionSchema,
  MessageSchema,
  type Message,
  type Part,
} from '@parley/proto/parley/messaging/v1/message_pb';

/** The event as the change log keeps it: ids and patches instead of bodies. A replay adds the bodies of that time. */
export function withReferences(event: Event): Event {
  const logged = { ...event, body: referencesOf(event.body) };
  return event.actor ? { ...logged, actor: withoutNames(event.actor) } : logged;
}

/** The log holds no names of users, so that the erasure of a user need not change it. */
export function withoutNames({ userId, incarnation }: BasicIdentity): BasicIdentity {
  return { $typeName: 'parley.identity.v1.BasicIdentity', userId, incarnation };
}

function referencesOf(body: Event['body']): Event['body'] {
  switch (body.case) {
    case 'conversationUpdated': {
      const { conversation, added, removed } = body.value;
      const reference = conversation && create(ConversationSchema, { id: conversation.id });
      const people = { added: added.map(withoutNames), removed: removed.map(withoutNames) };
      return { case: body.case, value: { ...body.value, ...people, conversation: reference } };
    }
    case 'restrictionChanged': {
      const { restriction } = body.value;
      const user = restriction?.user && withoutNames(restriction.user);
      const reference =
        restriction && create(RestrictionSchema, { kind: restriction.kind, ...(user && { user }) });
      return { case: body.case, value: { ...body.value, restriction: reference, shown: undefined } };
    }
    case 'conversationCreated':
    case 'conversationDeleted': {
      const { conversation } = body.value;
      const reference = conversation && create(ConversationSchema, { id: conversation.id });
      return { case: body.case, value: { ...body.value, conversation: reference } } as Event['body'];
    }
    case 'messageCreated':
    case 'messageDeleted': {
      const { message } = body.value;
      return { case: body.case, value: { ...body.value, message: referenceTo(message) } } as Event['body'];
    }
    case 'messagePartsChanged': {
      const { added, updated, message } = body.value;
      const value = {
        ...body.value,
        message: referenceTo(message),
        added: added.map(idOnly),
        updated: updated.map(idOnly),
      };
      return { case: body.case, value } as Event['body'];
    }
    case 'messageUpdated': {
      const value = { ...body.value, operations: [], message: referenceTo(body.value.message) };
      return { case: body.case, value } as Event['body'];
    }
    case 'reactionsChanged': {
      const { changes, reactions } = body.value;
      const value = {
        ...body.value,
        changes: changes.map((change) =>
          change.user ? { ...change, user: withoutNames(change.user) } : change,
        ),
        reactions: reactions.map(({ key }) => create(MessageReactionSchema, { key })),
        hiddenNames: [],
        pushes: [],
      };
      return { case: body.case, value };
    }
    default:
      return body;
  }
}

/** Reduces a message to its id and position. A shadowed message keeps its sender, the only user who is told of its changes. */
function referenceTo(message: Message | undefined): Message | undefined {
  if (!message) return undefined;
  const { id, position, shadowed, sender } = message;
  const reference = create(MessageSchema, { id, position, shadowed });
  if (shadowed && sender) reference.sender = withoutNames(sender);
  return reference;
}

/** Removes everything that users wrote. It names the kept properties, so that the log keeps none that parts get in later releases. */
function idOnly({ $typeName, id, updatedAt, requestId }: Part): Part {
  return {
    $typeName,
    id,
    mimeType: '',
    ...(updatedAt !== undefined && { updatedAt }),
    ...(requestId !== undefined && { requestId }),
  };
}
