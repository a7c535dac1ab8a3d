import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { recipientStatus, type RecipientStatus, type RecipientStatuses } from '@parley/domain/receipts';
import { createBatcher } from '@parley/kit/flow/batch';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Audience, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

/** Finds the status of a message for each of its recipients. */
export type Recipients = {
  /** Statuses of a new message: only the sender has read it. */
  statusesAtSending(event: Event, message: Message): Promise<RecipientStatuses>;
  /** Present statuses. */
  statusesNow(message: Message): Promise<RecipientStatuses>;
  stop(): Promise<void>;
};

type MembersVersion = { appId: string; conversationId: string; membersSeq: number };

/** Total number of user ids in the cache. */
const MAX_MEMBERS = 200_000;

/** Gets participants and receipts from messaging. */
export function createRecipients(messaging: Client<typeof MessagingService>): Recipients {
  // The participants as of one sequence number never change.
  const cache = new LRUCache<string, readonly string[]>({
    maxSize: MAX_MEMBERS,
    sizeCalculation: (userIds) => userIds.length + 1,
  });
  const fetches = createBatcher<MembersVersion, readonly string[]>({
    maxItems: 256,
    maxQueued: 10_000,
    async run(versions) {
      const items = versions.map(({ membersSeq, ...conversation }) => ({
        ...conversation,
        leftAfterSeq: membersSeq,
      }));
      const { audiences } = await messaging.getAudiences({ items });
      return versions.map(({ membersSeq }, index) => membersAt(audiences[index], membersSeq));
    },
  });

  async function membersOf(version: MembersVersion): Promise<readonly string[]> {
    const key = `${version.appId}/${version.conversationId}/${version.membersSeq}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const members = await fetches.add(version);
    cache.set(key, members);
    return members;
  }

  return {
    async statusesAtSending({ appId, conversationId, membersSeq, body }, message) {
      const isOff = body.case === 'messageCreated' && body.value.withoutReceipts;
      const members = isOff ? [] : await membersOf({ appId, conversationId, membersSeq });
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
  if (!audience) throw new ConnectError('messaging returned no audience', Code.Unavailable);
  return audience.members.flatMap(({ identity, joinedSeq, leftSeq }) =>
    identity && joinedSeq <= membersSeq && (leftSeq === 0 || leftSeq > membersSeq) ? [identity.userId] : [],
  );
}
