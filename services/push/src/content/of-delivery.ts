import type { Wire } from '@parley/domain/wire';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { PushContent } from '@parley/proto/parley/push/v1/push_pb';
import type { Payload } from './payload.ts';

type Source = { content: PushContent; badge: number; idsOnly?: boolean; collapsesConversation?: boolean };

/** Payload for the application on the device, with the present badge. docs/protocol/messages.md#notifications */
export function payloadOf(wire: Wire, { content, badge, idsOnly }: Source): Payload {
  const { messageId, conversationId, sender, notification, data } = content;
  if (idsOnly) return { ...idsOf(wire, { messageId, conversationId }), badge, ...(data && { data }) };
  const { title, text, sound } = notification ?? {};
  return {
    ...idsOf(wire, { messageId, conversationId }),
    ...(sender && { sender: senderOf(sender) }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(sound !== undefined && { sound }),
    badge,
    ...(data && { data }),
  };
}

/** A browser has no other place for the tag of a notification that takes the place of earlier ones of its conversation. */
export function withTag(wire: Wire, { content, collapsesConversation }: Source, payload: Payload): Payload {
  return collapsesConversation
    ? { ...payload, tag: wire.uri('conversations', content.conversationId) }
    : payload;
}

type Ids = { messageId: string; conversationId: string };

function idsOf(
  wire: Wire,
  { messageId, conversationId }: Ids,
): Pick<Payload, 'message_id' | 'conversation_id'> {
  return {
    ...(messageId !== '' && { message_id: wire.uri('messages', messageId) }),
    ...(conversationId !== '' && { conversation_id: wire.uri('conversations', conversationId) }),
  };
}

function senderOf({ userId, displayName, avatarUrl }: BasicIdentity): NonNullable<Payload['sender']> {
  return {
    user_id: userId,
    ...(displayName !== undefined && { display_name: displayName }),
    ...(avatarUrl !== undefined && { avatar_url: avatarUrl }),
  };
}
