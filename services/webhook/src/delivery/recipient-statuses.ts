import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { recipientStatus, type RecipientStatus, type RecipientStatuses } from '@parley/domain/receipts';
import { createBatcher } from '@parley/kit/batch';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Audience, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

/** What became of messages for those to whom they were sent. */
export type Recipients = {
  /** As of a new message: nobody but the sender has read it. */
  statusesAtSending(event: Event, message: Message): Promise<RecipientStatuses>;
  /** As of now. */
  statusesNow(message: Message): Promise<RecipientStatuses>;
  stop(): Promise<void>;
};

type Place = { appId: string; conversationId: string; membersSeq: number };

/** User ids of all cached memberships together. */
const MOST_MEMBERS = 200_000;

export function createRecipients(messaging: Client<typeof MessagingService>): Recipients {
  // Who took part after a change of the participants never changes again.
  const known = new LRUCache<string, readonly string[]>({
    maxSize: MOST_MEMBERS,
    sizeCalculation: (userIds) => userIds.length + 1,
  });
  const fetches = createBatcher<Place, readonly string[]>({
    maxItems: 256,
    maxQueued: 10_000,
    async run(places) {
      const items = places.map(({ membersSeq, ...place }) => ({ ...place, leftAfterSeq: membersSeq }));
      const { audiences } = await messaging.getAudiences({ items });
      return places.map(({ membersSeq }, index) => membersAt(audiences[index], membersSeq));
    },
  });

  async function membersOf(place: Place): Promise<readonly string[]> {
    const key = `${place.appId}/${place.conversationId}/${place.membersSeq}`;
    const cached = known.get(key);
    if (cached) return cached;
    const members = await fetches.add(place);
    known.set(key, members);
    return members;
  }

  return {
    async statusesAtSending({ appId, conversationId, membersSeq }, message) {
      const members = await membersOf({ appId, conversationId, membersSeq });
      const statuses = new Map<string, RecipientStatus>(members.map((userId) => [userId, 'sent']));
      if (message.sender) statuses.set(message.sender.userId, 'read');
      return statuses;
    },
    async statusesNow(message) {
      const { appId, conversationId, position } = message;
      const positions = { first: position, last: position };
      const { receipts } = await messaging.getReceipts({ appId, conversationId, positions });
      return recipientStatus(receipts, message);
    },
    stop: () => fetches.stop(),
  };
}

function membersAt(audience: Audience | undefined, membersSeq: number): readonly string[] {
  if (!audience) throw new ConnectError('an audience is missing', Code.Unavailable);
  return audience.members.flatMap(({ identity, joinedSeq, leftSeq }) =>
    identity && joinedSeq <= membersSeq && (leftSeq === 0 || leftSeq > membersSeq) ? [identity.userId] : [],
  );
}
