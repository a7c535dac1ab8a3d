import { create, toBinary } from '@parley/codec';
import { MessageBodySchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';

/** The stored bytes of a message: its parts and its notification. */
export function encodeBody({ parts, notification }: Pick<Message, 'parts' | 'notification'>): Uint8Array {
  const body = create(MessageBodySchema, notification ? { parts, notification } : { parts });
  return toBinary(MessageBodySchema, body);
}
