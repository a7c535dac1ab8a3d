import { hiddenFrom } from '@parley/domain/events/withheld';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Audience } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import type { Hub } from '../../connection/hub.ts';
import { isMemberAt, isMembershipOf } from '../../../upstream/messaging/audiences.ts';

/** How an event reached this gateway. */
export type Arrival = {
  /** The event was fetched instead of received live: it goes only to sockets that were open when it happened. */
  repaired: boolean;
  /** Upper bound of how far this gateway's clock is ahead of the log's, in milliseconds; undefined if not measured. */
  aheadMs?: number | undefined;
};

/** Assumed clock difference of two hosts where it was not measured. Milliseconds. */
const UNKNOWN_AHEAD_MS = 5_000;

/** A socket, or a replay to a socket. */
export type PacketSink = Pick<Connection, 'push'> &
  Partial<
    Pick<Connection, 'isExtended' | 'isLean' | 'ownMessages' | 'ownRequests' | 'caller' | 'wasToldGone'>
  > & {
    /** In a replay: resolves when the client has read most of what was pushed. */
    untilRead?: () => Promise<void> | undefined;
  };
export type Recipient = { userId: string; sockets: readonly PacketSink[] };

/**
 * A repaired event goes to the sockets that were open when it happened; clients that connected later have read its effect by REST. Since
 * the log's clock may be behind this host's, a socket that opened just after the event may get it, too: a repeated event is harmless, a
 * lost one is not.
 */
function socketsOwed(
  sockets: ReadonlySet<Connection>,
  event: Event,
  { repaired, aheadMs }: Arrival,
): Connection[] {
  return repaired
    ? [...sockets].filter((socket) => socket.connectedAt - (aheadMs ?? UNKNOWN_AHEAD_MS) <= event.createdAt)
    : [...sockets];
}

function* userIds(
  event: Event,
  audience: Audience | undefined,
  users: ReadonlyMap<string, unknown>,
): Generator<string> {
  if (event.onlyUserIds.length > 0) {
    yield* isForMembersAlone(event)
      ? event.onlyUserIds.filter((userId) => isMember(audience, userId, event.seq))
      : event.onlyUserIds;
    return;
  }
  for (const member of audience?.members ?? []) {
    const userId = member.identity?.userId ?? '';
    if (users.has(userId) && isMemberAt(member, event.seq)) yield userId;
  }
  if (event.body.case === 'conversationUpdated') yield* event.body.value.removedUserIds;
  if (event.body.case === 'conversationDeleted' || event.body.case === 'conversationCreated') {
    for (const participant of event.body.value.conversation?.participants ?? []) yield participant.userId;
  }
}

/** Whether an event reaches its user only while they take part. A repair reads it for users who do not, too. */
function isForMembersAlone({ body }: Event): boolean {
  return body.case === 'restrictionChanged';
}

function isMember(audience: Audience | undefined, userId: string, seq: number): boolean {
  const member = audience?.members.find(({ identity }) => identity?.userId === userId);
  return member !== undefined && isMemberAt(member, seq);
}

type Address = { event: Event; audience: Audience | undefined; userId: string };

/** Leaves out the sockets of a later holder of the user id, if the event is addressed to an earlier, erased one. */
function ofHolder(sockets: Connection[], address: Address): Connection[] {
  // Shortcut: hardly any user was ever erased.
  if (!sockets.some(({ caller }) => (caller.incarnation ?? 0) > 0)) return sockets;
  return sockets.filter(({ caller }) => isFor(address, caller.incarnation ?? 0));
}

function isFor({ event, audience, userId }: Address, incarnation: number): boolean {
  const named = namedIn(event).find((identity) => identity.userId === userId);
  if (named) return incarnation <= named.incarnation;
  const member = audience?.members.find(({ identity }) => identity?.userId === userId);
  return !audience || !member || isMembershipOf(audience, member, incarnation);
}

/** The identities in the event that name its recipients, if there are any. */
function namedIn({ onlyUserIds, actor, body }: Event): readonly BasicIdentity[] {
  if (onlyUserIds.length > 0) return [namedAlone(body, actor)].filter((one) => one !== undefined);
  switch (body.case) {
    case 'conversationUpdated':
      return [...body.value.removed, ...body.value.added];
    case 'conversationCreated':
    case 'conversationDeleted':
      return body.value.conversation?.participants ?? [];
    default:
      return [];
  }
}

/** A change that concerns a user alone goes to their own devices only: who made it, or whom it is about. */
function namedAlone(body: Event['body'], actor: BasicIdentity | undefined): BasicIdentity | undefined {
  switch (body.case) {
    case 'restrictionChanged':
      return body.value.restriction?.user;
    // Only the sender sees a shadowed message, even when a server changes it.
    case 'messageDeleted':
    case 'messagePartsChanged':
    case 'messageUpdated':
      return body.value.message?.sender ?? actor;
    case 'announcementReceived':
      return undefined;
    default:
      return actor;
  }
}

/** The recipients of an event who are connected here, each once, except those from whom it is withheld. */
export function recipientsOf(
  hub: Hub,
  event: Event,
  audience: Audience | undefined,
  arrival: Arrival,
): Recipient[] {
  const users = hub.usersOf(event.appId);
  if (!users) return [];
  const seen = new Set(hiddenFrom(event));
  const recipients: Recipient[] = [];
  for (const userId of userIds(event, audience, users)) {
    const sockets = users.get(userId);
    if (!sockets || seen.has(userId)) continue;
    seen.add(userId);
    const owed = ofHolder(socketsOwed(sockets, event, arrival), { event, audience, userId });
    if (owed.length > 0) recipients.push({ userId, sockets: owed });
  }
  return recipients;
}

/**
 * Whether the event alone determines its recipients, without the conversation's audience. The change log keeps the deletion of a
 * conversation without participants.
 */
export function namesItsAudience(event: Event): boolean {
  const { onlyUserIds, body } = event;
  // A message names the status of each recipient, also one that its sender alone gets.
  if (onlyUserIds.length > 0) return body.case !== 'messageCreated' && !isForMembersAlone(event);
  if (body.case === 'conversationCreated') return true;
  return body.case === 'conversationDeleted' && (body.value.conversation?.participants.length ?? 0) > 0;
}
