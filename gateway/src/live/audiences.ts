import type { Client } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { createBatcher } from '@parley/kit/batch';
import type { Audience, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';

type Key = { appId: string; conversationId: string; leftAfterSeq: number };

/** Who takes part in conversations, as of a change of their participants. */
export type Audiences = {
  /** The audience that was true at change `membersSeq`, or a later one that still names who left after it. */
  at(appId: string, conversationId: string, membersSeq: number): Promise<Audience>;
  /** The same without waiting; undefined when it has to be fetched. */
  peek(appId: string, conversationId: string, membersSeq: number): Audience | undefined;
  /** The newest that is known, fetched when none is. */
  current(appId: string, conversationId: string): Promise<Audience>;
  stop(): Promise<void>;
};

/** Members of all cached audiences together; ~100 bytes each. */
const maxMembers = 500_000;

const keyOf = (appId: string, conversationId: string): string => `${appId}/${conversationId}`;

export const createAudiences = (messaging: Client<typeof MessagingService>): Audiences => {
  const cache = new LRUCache<string, Audience>({
    maxSize: maxMembers,
    sizeCalculation: (audience) => audience.members.length + 1,
    ttl: 10 * 60_000,
  });

  const fetches = createBatcher<Key, Audience>({
    maxItems: 256,
    maxQueued: 100_000,
    run: async (items) => (await messaging.getAudiences({ items })).audiences,
  });

  const fetch = async (appId: string, conversationId: string, leftAfterSeq: number): Promise<Audience> => {
    const audience = await fetches.add({ appId, conversationId, leftAfterSeq });
    const key = keyOf(appId, conversationId);
    const known = cache.peek(key);
    // An older answer may come late; one without the leavers of the wanted time serves only its asker.
    if (!known || known.membersSeq <= audience.membersSeq) cache.set(key, audience);
    return audience;
  };

  const peek = (appId: string, conversationId: string, membersSeq: number): Audience | undefined => {
    const known = cache.get(keyOf(appId, conversationId));
    return known?.membersSeq === membersSeq ? known : undefined;
  };

  return {
    peek,
    at: async (appId, conversationId, membersSeq) =>
      peek(appId, conversationId, membersSeq) ?? fetch(appId, conversationId, membersSeq),
    current: async (appId, conversationId) =>
      cache.get(keyOf(appId, conversationId)) ?? fetch(appId, conversationId, 0),
    stop: () => fetches.stop(),
  };
};

/** Members who took part when change `seq` happened. */
export const membersAt = (audience: Audience, seq: number): Audience['members'] =>
  audience.members.filter(
    (member) => member.joinedSeq <= seq && (member.leftSeq === 0 || member.leftSeq > seq),
  );
