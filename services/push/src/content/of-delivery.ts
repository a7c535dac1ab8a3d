import type { Wire } from '@parley/domain/wire';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { PushContent } from '@parley/proto/parley/push/v1/push_pb';
import type { Payload } from './payload.ts';

/** What the application on the device gets, with the present badge. docs/protocol/messages.md#notifications */
export function payloadOf(wire: Wire, content: PushContent, badge: number): Payload {
  const { messageId, conversationId, sender, notification, data } = content;
  const { title, text, sound } = notification ?? {};
  return {
    ...(messageId !== '' && { message_id: wire.uri('messages', messageId) }),
    ...(conversationId !== '' && { conversation_id: wire.uri('conversations', conversationId) }),
    ...(sender && { sender: senderOf(sender) }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(sound !== undefined && { sound }),
    badge,
    ...(data && { data }),
  };
}

function senderOf({ userId, displayName, avatarUrl }: BasicIdentity): NonNullable<Payload['sender']> {
  return {
    user_id: userId,
    ...(displayName !== undefined && { display_name: displayName }),
    ...(avatarUrl !== undefined && { avatar_url: avatarUrl }),
  };
}
