import { createConsumer, type Consumer } from '@parley/kit/consume';
import type { Tx } from '@parley/kit/postgres';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { moveFollowingStamps } from '../sql/following.ts';
import { insertJoinings, insertLeavings, listMembers } from '../sql/membership.ts';

/** Copies who takes part in which conversation: whoever shares one follows each other. In whatever order it is told. */
export function consumeMemberships({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'identity-memberships',
    filter: 'event.*.conversation.>',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    handle: copyMemberships,
  });
}

async function copyMemberships(tx: Tx, event: Event): Promise<void> {
  const { appId, conversationId, seq, createdAt: at, body } = event;
  const change = { appId, conversationId, seq, at };
  const { joined, left } = membersOf(body);
  if (joined.length === 0 && left.length === 0) return;
  if (left.length > 0) await insertLeavings(tx, { ...change, userIds: left });
  if (joined.length === 0) return;
  await insertJoinings(tx, { ...change, userIds: joined });
  await moveFollowingStamps(tx, appId, await listMembers(tx, appId, conversationId));
}

function membersOf(body: Event['body']): { joined: string[]; left: string[] } {
  const idsOf = (members: readonly { userId: string }[] = []) => members.map(({ userId }) => userId);
  if (body.case === 'conversationCreated')
    return { joined: idsOf(body.value.conversation?.participants), left: [] };
  if (body.case !== 'conversationUpdated') return { joined: [], left: [] };
  return { joined: idsOf(body.value.added), left: body.value.removedUserIds };
}
