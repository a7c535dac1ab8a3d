import { create } from '@parley/codec';
import type { Client } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { laneOf } from '@parley/domain/lane';
import { createBatcher } from '@parley/kit/flow/batch';
import { ANSWER_BYTES, callInHalves } from '@parley/kit/rpc/byte-budget';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  Audience_MemberSchema,
  type Audience,
  type MessagingService,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';

type AudienceKey = { appId: string; conversationId: string; leftAfterSeq: number };

/** The audiences of conversations, each valid at a change of its participants. */
export type Audiences = {
  /** The audience as of change `membersSeq`, or a later one that still includes the members who left since. */
  at(appId: string, conversationId: string, membersSeq: number): Promise<Audience>;
  /** Like `at` without waiting; undefined when the audience must be fetched. */
  peek(appId: string, conversationId: string, membersSeq: number): Audience | undefined;
  /** The newest cached audience; fetched when none is cached. */
  current(appId: string, conversationId: string): Promise<Audience>;
  /** Updates the cached audience from a live event, to save a fetch. */
  learn(event: Event): void;
  /** Clears the cache, also of audiences being fetched, since change numbers are assigned again. */
  clear(): void;
  stop(): Promise<void>;
};

/** Most members of all cached audiences together; ~100 bytes each. */
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
    // Several lanes, so that one application's large conversations do not delay another's audiences.
    lanes: LANES,
    laneOf: ({ appId }) => laneOf(appId),
    maxItems: 64,
    maxQueued: 100_000,
    run: (items) => callInHalves(items, (some) => askAll(messaging, some)),
  });

  let era = 0;

  async function fetch(appId: string, conversationId: string, leftAfterSeq: number): Promise<Audience> {
    const before = era;
    const audience = await fetches.add({ appId, conversationId, leftAfterSeq });
    if (before !== era) return audience;
    const key = keyOf(appId, conversationId);
    const known = cache.peek(key);
    // An older answer that arrives late is not cached.
    if (!known || known.membersSeq <= audience.membersSeq) cache.set(key, audience);
    return audience;
  }

  function peek(appId: string, conversationId: string, membersSeq: number): Audience | undefined {
    const known = cache.get(keyOf(appId, conversationId));
    return known?.membersSeq === membersSeq ? known : undefined;
  }

  function learn(event: Event): void {
    if (event.body.case !== 'conversationUpdated') return;
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
    clear() {
      era += 1;
      cache.clear();
    },
    stop: () => fetches.stop(),
  };
}

/** Fetches all items, in as many calls as their answers need. */
async function askAll(
  messaging: Client<typeof MessagingService>,
  items: readonly AudienceKey[],
): Promise<Audience[]> {
  const found: Audience[] = [];
  while (found.length < items.length) {
    const request = { items: items.slice(found.length), byteBudget: ANSWER_BYTES };
    const { audiences } = await messaging.getAudiences(request);
    if (audiences.length === 0) throw new Error('an answer to GetAudiences lacks audiences');
    found.push(...audiences);
  }
  return found;
}

/** Whether a member took part when change `seq` happened. */
export function isMemberAt({ joinedSeq, leftSeq }: Audience['members'][number], seq: number): boolean {
  return joinedSeq <= seq && (leftSeq === 0 || leftSeq > seq);
}

/** Whether a membership belongs to the person with this incarnation, not to an erased person with the same user id. */
export function isMembershipOf(
  { hasIncarnations }: Pick<Audience, 'hasIncarnations'>,
  { identity }: Pick<Audience['members'][number], 'identity'>,
  incarnation = 0,
): boolean {
  return !hasIncarnations || incarnation <= (identity?.incarnation ?? 0);
}

/** Members who took part when change `seq` happened. */
export function membersAt(audience: Audience, seq: number): Audience['members'] {
  return audience.members.filter((member) => isMemberAt(member, seq));
}

/**
 * The audience after a change of participants, from an event that lists all of them. Undefined when the event does not fit the known
 * audience, which must then be fetched.
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
