import { create, fromBinary } from '@bufbuild/protobuf';
import { MessageBodySchema, MessageSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { ExportMessagesResponse_Span } from '@parley/proto/parley/messaging/v1/transfer_service_pb';

/** The records of messages that come as they are stored. */
export function messagesOf(
  appId: string,
  { conversationId, messages, senders }: ExportMessagesResponse_Span,
): Message[] {
  const bySender = new Map(senders.map((sender) => [sender.userId, sender]));
  return messages.map(({ id, position, senderId, sentAt, updatedAt, body }) => {
    const { parts, notification } = fromBinary(MessageBodySchema, body);
    const message = create(MessageSchema);
    Object.assign(message, { appId, id, conversationId, position, parts, sentAt });
    const sender = bySender.get(senderId);
    if (sender) message.sender = sender;
    if (updatedAt !== undefined) message.updatedAt = updatedAt;
    if (notification) message.notification = notification;
    return message;
  });
}
