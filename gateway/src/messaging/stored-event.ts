import { create } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { StoredMessage } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

/**
 * The event of a message that was just stored, as the bus brings it, but without its id. Undefined: the answer does not say for whom the
 * message is stored.
 */
export function eventOfStored(
  message: Message,
  { seq, membersSeq, sender, delivery }: StoredMessage,
): Event | undefined {
  if (!delivery) return undefined;
  const { appId, conversationId, sentAt } = message;
  const { hiddenFrom, contraryUserIds } = delivery;
  return create(EventSchema, {
    appId,
    conversationId,
    seq,
    membersSeq,
    createdAt: sentAt,
    ...(sender && { actor: sender }),
    body: { case: 'messageCreated', value: { message, hiddenFrom, contraryUserIds } },
  });
}
