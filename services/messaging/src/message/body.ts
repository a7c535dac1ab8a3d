import { create, toBinary } from '@parley/codec';
import { MessageBodySchema, type Message } from '@parley/proto/parley/messaging/v1/message_pb';

type Stored = Pick<Message, 'parts' | 'notification' | 'metadata'>;

/** The stored bytes of a message: its parts, its notification and its metadata. */
export function encodeBody({ parts, notification, metadata }: Stored): Uint8Array {
  const body = create(
    MessageBodySchema,
    notification ? { parts, notification, metadata } : { parts, metadata },
  );
  return toBinary(MessageBodySchema, body);
}
