import { create, fromBinary } from '@parley/codec';
import { MessageBodySchema, MessageSchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { ShownMessageRow } from '../sql/message/message.ts';

/** The record of a stored message, as a server sees it. */
export function toMessage(row: ShownMessageRow): Message {
  const { parts, notification, metadata } = fromBinary(MessageBodySchema, row.body);
  const message = create(MessageSchema, {
    appId: row.app_id,
    id: row.id,
    conversationId: row.conversation_id,
    position: row.position,
    sender: basicIdentity({
      user_id: row.sender_id,
      display_name: row.sender_display_name,
      avatar_url: row.sender_avatar_url,
      incarnation: row.incarnation,
    }),
    parts,
    sentAt: row.sent_at,
    low: row.low,
    metadata,
  });
  if (row.shadowed) message.shadowed = true;
  if (row.updated_at !== null) message.updatedAt = row.updated_at;
  if (notification) message.notification = notification;
  return message;
}
