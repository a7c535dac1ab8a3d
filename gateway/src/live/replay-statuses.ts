import type { Client } from '@connectrpc/connect';
import { recipientStatus, type RecipientStatuses } from '@parley/domain/receipts';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { ConversationReceipts } from '@parley/proto/parley/messaging/v1/message_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

/** What became of the messages among some events by now, those of them included who have left since. */
export type ReplayStatuses = { of(event: Event): RecipientStatuses | undefined };

export async function readStatuses(
  messaging: Client<typeof MessagingService>,
  events: readonly Event[],
): Promise<ReplayStatuses> {
  const found = new Map<string, ConversationReceipts>();
  const messages = events.filter(({ body }) => body.case === 'messageCreated');
  const byConversation = Map.groupBy(messages, ({ conversationId }) => conversationId);
  await Promise.all(
    [...byConversation].map(async ([conversationId, [first, ...others]]) => {
      if (!first) return;
      const range = { first: positionOf(first), last: positionOf(others.at(-1) ?? first) };
      const request = { appId: first.appId, conversationId, positions: range };
      const { receipts } = await messaging.getReceipts(request);
      if (receipts) found.set(conversationId, receipts);
    }),
  );
  return {
    of({ body, conversationId }) {
      const receipts = found.get(conversationId);
      if (body.case !== 'messageCreated' || !body.value.message || !receipts) return undefined;
      return recipientStatus(receipts, body.value.message);
    },
  };
}

const positionOf = ({ body }: Event): number =>
  body.case === 'messageCreated' ? (body.value.message?.position ?? 0) : 0;
