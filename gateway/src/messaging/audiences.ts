import { create } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { laneOf } from '@parley/domain/lane';
import { createBatcher } from '@parley/kit/batch';
import { ANSWER_BYTES, callInHalves } from '@parley/kit/rpc/byte-budget';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  Audience_MemberSchema,
  type Audience,
  type MessagingService,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';

type AudienceKey = { appId: string; conversationId: string; leftAfterSeq: number };

/** Who takes part in conversations, as of a change of their participants. */
export type Audiences = {
  /** The audience that was true at change `membersSeq`, or a later one that still names who left after it. */
  at(appId: string, conversationId: string, membersSeq: number): Promise<Audience>;
  /** The same without waiting; undefined when it has to be fetched. */
  peek(appId: string, conversationId: string, membersSeq: number): Audience | undefined;
  /** The newest that is known, fetched when none is. */
  current(appId: string, conversationId: string): Promise<Audience>;
  /** Takes over what a live event says of who takes part from then on, so that nothing has to be fetched. */
  learn(event: Event): void;
  stop(): Promise<void>;
};

/** Members of all cached audiences together; ~100 bytes each. */
const MAX_MEMBERS = 500_000;

const LANES = 8;

function keyOf(appId: string, conversationId: string): string {
  return `${appId}/${conversationId}`;
}

export function createAudiences(messaging: Client<typeof MessagingService>): Audiences {
  const cache = new LRUCache<string, Audience>({
    maxSize: MAX_MEMBERS,
    sizeCalculation: (audience) => audience.members.length + 1,
    ttl: 10 * 60_000,
  });

  const fetches = createBatcher<AudienceKey, Audience>({
    // Audiences of large conversations that one application changes all the time do not hold up those of another.
    lanes: LANES,
    laneOf: ({ appId }) => laneOf(appId),
    maxItems: 64,
    maxQueued: 100_000,
    run: (items) => callInHalves(items, (some) => askAll(messaging, some)),
  });

  async function fetch(appId: string, conversationId: string, leftAfterSeq: number): Promise<Audience> {
    const audience = await fetches.add({ appId, conversationId, leftAfterSeq });
    const key = keyOf(appId, conversationId);
    const known = cache.peek(key);
    // An older answer may come late; one without the leavers of the wanted time serves only its asker.
    if (!known || known.membersSeq <= audience.membersSeq) cache.set(key, audience);
    return audience;
  }

  function peek(appId: string, conversationId: string, membersSeq: number): Audience | undefined {
    const known = cache.get(keyOf(appId, conversationId));
    return known?.membersSeq === membersSeq ? known : undefined;
  }

  function learn(event: Event): void {
    const key = keyOf(event.appId, event.conversationId);
    const known = cache.peek(key);
    const learned = known && changedBy(known, event);
    if (learned) cache.set(key, learned);
  }

  return {
    peek,
    learn,
    at: async (appId, conversationId, membersSeq) =>
      peek(appId, conversationId, membersSeq) ?? fetch(appId, conversationId, membersSeq),
    current: async (appId, conversationId) =>
      cache.get(keyOf(appId, conversationId)) ?? fetch(appId, conversationId, 0),
    stop: () => fetches.stop(),
  };
}

/** Of all items, as many in one call as fit into an answer. */
async function askAll(
  messaging: Client<typeof MessagingService>,
  items: readonly AudienceKey[],
): Promise<Audience[]> {
  const found: Audience[] = [];
  while (found.length < items.length) {
    const request = { items: items.slice(found.length), byteBudget: ANSWER_BYTES };
    const { audiences } = await messaging.getAudiences(request);
    if (audiences.length === 0) throw new Error('an audience was left out');
    found.push(...audiences);
  }
  return found;
}

/** Whether a member took part when change `seq` happened. */
export function isMemberAt({ joinedSeq, leftSeq }: Audience['members'][number], seq: number): boolean {
  return joinedSeq <= seq && (leftSeq === 0 || leftSeq > seq);
}

/** Members who took part when change `seq` happened. */
export function membersAt(audience: Audience, seq: number): Audience['members'] {
  return audience.members.filter((member) => isMemberAt(member, seq));
}

/**
 * An audience after a change of the participants, which names all that are there now. Undefined where the event does not
 * follow from what is known: then the audience has to be fetched.
 */
function changedBy(known: Audience, { body, seq, membersSeq }: Event): Audience | undefined {
  if (body.case !== 'conversationUpdated' || membersSeq !== seq || known.membersSeq >= seq) return undefined;
  const { added, removedUserIds, conversation } = body.value;
  if (!conversation || conversation.participants.length === 0) return undefined;
  const isAdded = new Set(added.map(({ userId }) => userId));
  const isRemoved = new Set(removedUserIds);
  const stay = known.members.filter(
    ({ identity, leftSeq }) =>
      leftSeq === 0 && identity && !isRemoved.has(identity.userId) && !isAdded.has(identity.userId),
  );
  const here = new Set(conversation.participants.map(({ userId }) => userId));
  const isWhole = stay.every(({ identity }) => here.has(identity?.userId ?? ''));
  if (!isWhole || stay.length + isAdded.size !== here.size) return undefined;
  const members = [...stay, ...added.map((identity) => memberSince(identity, seq))];
  return { ...known, seq, membersSeq: seq, members };
}

function memberSince(identity: BasicIdentity, seq: number): Audience['members'][number] {
  return create(Audience_MemberSchema, { identity, joinedSeq: seq });
}
