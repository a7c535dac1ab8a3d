import type { Client } from '@connectrpc/connect';
import { recipientStatus, type RecipientStatuses } from '@parley/domain/receipts';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { ConversationReceipts } from '@parley/proto/parley/messaging/v1/message_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

/** The present recipient_status of the messages in some events, including participants who have left since. */
export type ReplayStatuses = { of(event: Event): RecipientStatuses | undefined };

export async function readStatuses(
  messaging: Client<typeof MessagingService>,
  events: readonly Event[],
): Promise<ReplayStatuses> {
  const found = new Map<Event, ConversationReceipts>();
  const messages = events.filter(({ body }) => body.case === 'messageCreated');
  const byConversation = Map.groupBy(messages, ({ conversationId }) => conversationId);
  await Promise.all(
    [...byConversation.values()].flatMap(splitIntoSpans).map(async (some) => {
      const [first] = some;
      const last = some.at(-1);
      if (!first || !last) return;
      const { appId, conversationId } = first;
      const positions = { first: positionOf(first), last: positionOf(last) };
      const { receipts } = await messaging.getReceipts({ appId, conversationId, positions });
      if (receipts) for (const event of some) found.set(event, receipts);
    }),
  );
  return {
    of(event) {
      const { body } = event;
      const receipts = found.get(event);
      if (body.case !== 'messageCreated' || !body.value.message || !receipts) return undefined;
      return recipientStatus(receipts, body.value.message);
    },
  };
}

/** Longest span: the receipts of a span grow with its length, however few of its messages are needed. Positions. */
const MAX_SPAN = 1024;

/** Divides the ordered messages of one conversation into spans of at most MAX_SPAN positions. */
function splitIntoSpans(messages: readonly Event[]): Event[][] {
  const spans: Event[][] = [];
  for (const message of messages) {
    const span = spans.at(-1);
    const [first] = span ?? [];
    if (span && first && positionOf(message) - positionOf(first) < MAX_SPAN) span.push(message);
    else spans.push([message]);
  }
  return spans;
}

function positionOf({ body }: Event): number {
  return body.case === 'messageCreated' ? (body.value.message?.position ?? 0) : 0;
}
