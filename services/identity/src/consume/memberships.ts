import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Tx } from '@parley/kit/postgres';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { markFollowingChanged } from '../relation/following-changed.ts';
import {
  insertJoins,
  insertLeaves,
  listJoinedAfter,
  listMembersSince,
  lockMemberships,
  lockMembershipsOf,
  type Joined,
  type MemberRef,
  type MembershipChange,
} from '../sql/membership.ts';
import { insertDeletedConversations } from '../sql/deleted-conversation.ts';
import { mergeMemberships } from '../sql/merge-memberships.ts';

/**
 * Copies memberships from conversation events, in any order of arrival. Users who share a conversation follow each
 * other.
 */
export function consumeMemberships(ctx: Context): Consumer {
  return consumeEvents(ctx, {
    durable: 'identity-memberships',
    filter: 'event.*.conversation.>',
    // A short delay of following lists does no harm, and joins often come together.
    lingerMs: 50,
    handleAll: (tx, events) => copyMemberships(ctx, tx, events),
  });
}

// Locks memberships in the order of conversation and change, then stamps of users, so that replicas do not deadlock.
async function copyMemberships(ctx: Context, tx: Tx, events: Event[]): Promise<void> {
  const deleted = events.filter(({ body }) => body.case === 'conversationDeleted');
  if (deleted.length > 0) await insertDeletedConversations(tx, deleted);
  const changes = events.map(toChange).sort(compareChanges);
  await lockMembershipsOf(tx, { changed: changes.map(({ appId }) => appId) });
  await lockMemberships(
    tx,
    changes.flatMap(({ left, ...change }) => left.map((userId) => ({ ...change, userId }))),
  );
  for (const { left, ...change } of changes) {
    if (left.length > 0) await insertLeaves(tx, { ...change, userIds: left });
  }
  for (const { joined, ...change } of changes) {
    if (joined.length > 0) await insertJoins(tx, { ...change, joined });
  }
  for (const [appId, appChanges] of Map.groupBy(changes, (change) => change.appId)) {
    await mergeMemberships(tx, appId, membersWhoMoved(appChanges));
    const userIds = await listUsersWhoseFollowingChanged(tx, appId, appChanges);
    if (userIds.length > 0) await markFollowingChanged(ctx, tx, appId, userIds);
  }
}

/** Users who have an earlier membership period in the conversation, or may have. */
function membersWhoMoved(changes: readonly Change[]): MemberRef[] {
  return changes
    .filter(({ seq }) => seq > 1)
    .flatMap(({ appId, conversationId, joined, left }) =>
      [...joined.map(({ userId }) => userId), ...left].map((userId) => ({ appId, conversationId, userId })),
    );
}

/** Users whose following list may have changed. Former participants of the conversation are not among them. */
async function listUsersWhoseFollowingChanged(
  tx: Tx,
  appId: string,
  changes: readonly Change[],
): Promise<string[]> {
  const joinings = changes.filter(({ joined }) => joined.length > 0);
  const leavings = changes.filter(({ left }) => left.length > 0);
  const present = joinings.length > 0 ? await listMembersSince(tx, appId, joinings) : [];
  // The leave arrived late: until now, users who joined after it seemed to share the conversation with users who had left.
  const later = leavings.length > 0 ? await listJoinedAfter(tx, appId, leavings) : [];
  const left = later.length > 0 ? leavings.flatMap((change) => change.left) : [];
  return [...new Set([...present, ...later, ...left])];
}

type Change = Omit<MembershipChange, 'userIds'> & { joined: Joined[]; left: string[] };

function toChange({ appId, conversationId, seq, createdAt: at, body }: Event): Change {
  const { joined, left } = membersOf(body);
  return { appId, conversationId, seq, at, joined: joined.toSorted(byUserId), left: left.toSorted() };
}

function byUserId(a: Joined, b: Joined): number {
  return a.userId < b.userId ? -1 : 1;
}

function compareChanges(a: Change, b: Change): number {
  const [first, second] = [a.appId + a.conversationId, b.appId + b.conversationId];
  return first === second ? a.seq - b.seq : first < second ? -1 : 1;
}

function membersOf(body: Event['body']): { joined: Joined[]; left: string[] } {
  if (body.case === 'conversationCreated')
    return { joined: [...(body.value.conversation?.participants ?? [])], left: [] };
  if (body.case !== 'conversationUpdated') return { joined: [], left: [] };
  return { joined: [...body.value.added], left: body.value.removedUserIds };
}
