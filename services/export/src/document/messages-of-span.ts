import { create, fromBinary } from '@parley/codec';
import { Code, ConnectError } from '@connectrpc/connect';
import { RecordReader } from '@parley/kit/postgres/record-reader';
import { MessageBodySchema, MessageSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { ExportMessagesResponse_Span } from '@parley/proto/parley/messaging/v1/transfer_service_pb';

/** Decodes the messages of a span, which are sent as they are stored. A span has at least one. */
export function* messagesOf(
  appId: string,
  { conversationId, rows, senders, reactions, shadowed }: ExportMessagesResponse_Span,
): Generator<Message> {
  // Sent by messaging of another release: better no archive than one without these messages.
  if (rows.length === 0) throw new ConnectError('a span of messages has no rows', Code.FailedPrecondition);
  const bySender = new Map(senders.map((sender) => [sender.userId, sender]));
  const byPosition = new Map(reactions.map((one) => [one.position, one.reactions]));
  const isShadowed = new Set(shadowed);
  const reader = new RecordReader(rows);
  while (reader.next()) {
    const message = create(MessageSchema);
    Object.assign(message, { appId, conversationId, id: reader.uuid(), position: reader.int8() });
    const sender = bySender.get(reader.text() ?? '');
    if (sender) message.sender = sender;
    message.sentAt = reader.time() ?? 0;
    const updatedAt = reader.time();
    if (updatedAt !== undefined) message.updatedAt = updatedAt;
    const body = fromBinary(MessageBodySchema, reader.bytea() ?? new Uint8Array());
    const { parts, notification, metadata } = body;
    Object.assign(message, { parts, metadata, reactions: byPosition.get(message.position) ?? [] });
    if (notification) message.notification = notification;
    message.shadowed = isShadowed.has(message.position);
    yield message;
  }
}
