import { limits } from '@parley/contract/limits';
import { newOrderedId } from '@parley/domain/ids';
import { notFound, problem } from '@parley/domain/problems';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { absence, toStanding } from '../policy/load-standing.ts';
import { toProblem } from '../policy/refusal.ts';
import { findRefusal } from '../policy/standing.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import type { ReactionRow } from '../sql/message/reaction.ts';
import type { MessagePlace } from '../sql/message/message.ts';
import type { StandingRow } from '../sql/policy/standing.ts';
import { isDeleted } from '../read-state/exclusions.ts';
import { isHidden, limitOf } from '../read-state/progress.ts';
import { actorOf, type LoadedProgress } from '../read-state/load-progress.ts';

/** A user's request to react to a message, or to take a reaction back. The message exists, or existed. */
export type ReactionRequest = {
  userId: string;
  place: MessagePlace;
  key: string;
  /** The reaction is taken back. */
  remove: boolean;
  /** The user's other reactions to the message are taken back in the same change. */
  replace: boolean;
  /** A push to the message's sender. */
  notification: Notification | undefined;
};

/** A reaction that was given or taken back. A new one has no `seq` yet. */
export type PlannedChange = {
  row: ReactionRow;
  /** Absent: the reaction is of an erased person, and its end is told as a count alone. */
  user: BasicIdentity | undefined;
  removed: boolean;
};

/** The reactions to one message, as they are after what is planned so far. */
export type MessageReactions = {
  place: MessagePlace;
  /** The stored reactions of users, and those that are planned, by user id and key. */
  own: Map<string, Map<string, StoredReaction>>;
  /** Numbers of users by key. */
  counts: Map<string, number>;
  changes: PlannedChange[];
  /** The users whose reaction is pushed, with what is pushed. */
  pushes: Map<string, PlannedPush>;
};

/** `incarnation`: the user's; null: 0. */
export type PlannedPush = {
  user: BasicIdentity;
  incarnation: number | null;
  key: string;
  notification: Notification;
};

/** `is_held`: it is not of an erased person whose user id another one has now. */
export type StoredReaction = ReactionRow & { is_held: boolean };

type Judged = {
  loaded: LoadedProgress;
  /** The state that decides on the user's acts. */
  standing: StandingRow;
  /** Locked. */
  conversation: ConversationRow;
  now: number;
};

/** The action `react`: whether a user may react to a message, or take that back, now. Undefined: they may. */
export function judgeReaction(
  request: ReactionRequest,
  { loaded: { progress, exclusions }, standing, conversation, now }: Judged,
): Problem | undefined {
  const { place } = request;
  const { position } = place;
  const isDeletedFor = isDeleted(exclusions, position) && !isOwnShadowed(request);
  const isGone = isHidden(progress, position) || isDeletedFor;
  if (isGone || position > limitOf(progress, conversation.head)) return notFound('message', place.id);
  if (progress.row.left_seq !== null) return absence(standing, { action: 'react', now });
  const refusal = findRefusal(toStanding(conversation, standing), 'react', now);
  return refusal && toProblem(refusal);
}

/** Whether the message is a shadowed one of the user, who goes on seeing it. */
export function isOwnShadowed({ place, userId }: ReactionRequest): boolean {
  return place.is_shadowed === true && place.sender_id === userId;
}

type Reacting = {
  request: ReactionRequest;
  loaded: LoadedProgress;
  reactions: MessageReactions;
  now: number;
};

/** Plans one request behind those before it. A repeat plans nothing. Answers why it is refused. */
export function planReaction(reacting: Reacting): Problem | undefined {
  const { request, reactions } = reacting;
  const own = ownOf(reactions, request.userId);
  const known = own.get(request.key);
  if (request.remove) {
    if (known?.is_held) takeBack(reacting, known);
    return undefined;
  }
  const held = [...own.values()].filter(({ is_held }) => is_held);
  const others = request.replace ? held.filter(({ key }) => key !== request.key) : [];
  const refusal = known?.is_held ? undefined : findExcess(reacting, { held, others });
  if (refusal) return refusal;
  for (const other of others) takeBack(reacting, other);
  if (!known?.is_held) give(reacting, known);
  return undefined;
}

function ownOf({ own }: MessageReactions, userId: string): Map<string, StoredReaction> {
  let known = own.get(userId);
  if (!known) own.set(userId, (known = new Map()));
  return known;
}

/** `held`: the reactions of the user; `others`: those of them that are taken back. */
function findExcess(
  { request, reactions: { counts } }: Reacting,
  { held, others }: { held: readonly StoredReaction[]; others: readonly StoredReaction[] },
): Problem | undefined {
  const kept = held.length - others.length;
  if (kept >= limits.reactionsOfUser) return excess(limits.reactionsOfUser, 'of a user to a message');
  const ending = others.filter(({ key }) => counts.get(key) === 1).length;
  const isNew = !counts.has(request.key);
  return isNew && counts.size - ending >= limits.reactionKeys
    ? excess(limits.reactionKeys, 'with different keys to a message')
    : undefined;
}

function excess(limit: number, scope: string): Problem {
  return problem('invalid_operation', {
    message: `There are at most ${limit} reactions ${scope}.`,
    property: 'reactions',
    data: { limit },
  });
}

function takeBack({ loaded, reactions }: Reacting, row: StoredReaction): void {
  reactions.changes.push({ row, user: actorOf(loaded), removed: true });
  reactions.own.get(row.user_id)?.delete(row.key);
  // A reaction that ends in the transaction in which it was given.
  if (reactions.pushes.get(row.user_id)?.key === row.key) reactions.pushes.delete(row.user_id);
  count(reactions, row.key, -1);
}

/** `known`: the reaction of an erased person with the user id, which the new one replaces. */
function give({ request, loaded, reactions, now }: Reacting, known: StoredReaction | undefined): void {
  const { place, userId, key, notification } = request;
  const { app_id, conversation_id, position } = place;
  const user = actorOf(loaded);
  const fields = {
    app_id,
    conversation_id,
    position,
    user_id: userId,
    key,
    id: newOrderedId(),
    created_at: now,
    seq: 0,
  };
  const incarnation = loaded.incarnation || null;
  const row = { ...fields, incarnation, is_held: true };
  if (known) reactions.changes.push({ row: known, user: undefined, removed: true });
  reactions.changes.push({ row, user, removed: false });
  ownOf(reactions, userId).set(key, row);
  if (!known) count(reactions, key, 1);
  if (notification && userId !== place.sender_id && !reactions.pushes.has(userId))
    reactions.pushes.set(userId, { user, incarnation, key, notification });
}

function count({ counts }: MessageReactions, key: string, by: number): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
