import { create } from '@parley/codec';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { MessageSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

/** Properties that a message gets when it is stored. `sentAt`: milliseconds since the epoch. */
export type Stored = { sender?: BasicIdentity | undefined; position: number; sentAt: number };

/** The message that is stored for a draft. */
export function messageOfDraft(draft: MessageDraft, { sender, position, sentAt }: Stored): Message {
  const { appId, id, conversationId, parts, low, notification, metadata } = draft;
  const message = create(MessageSchema, { appId, id, conversationId, position, parts, sentAt, low });
  if (sender) message.sender = sender;
  if (notification) message.notification = notification;
  if (metadata !== '') message.metadata = metadata;
  return message;
}
