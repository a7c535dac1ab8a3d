import { DEFAULT_RULES } from '@parley/domain/policy';
import { notFound, problem, type PlainProblemId } from '@parley/domain/problems';
import type { MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { absence, muteOf, shadowOf } from '../../policy/load-standing.ts';
import { toProblem } from '../../policy/refusal.ts';
import { findRefusal, type Standing } from '../../policy/standing.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import type { SendOutcome, OutgoingMessage } from './outgoing.ts';

const NO_SENDER = 'sender_id is neither a participant of the conversation nor a bot.';

export type SendCheck = {
  item: OutgoingMessage;
  /** Undefined: it does not exist, or it is not locked. */
  conversation: ConversationRow | undefined;
  /** The row of the sender. */
  state: SendState;
  /** Senders without a copy have been fetched, and bots that do not take part have been noted. */
  askedIdentity: boolean;
  /** Milliseconds. */
  now: number;
};

/** Undefined: the message may be stored. A message id that is taken makes it a duplicate (deduplication). */
export function checkSend({
  item,
  conversation,
  state,
  askedIdentity,
  now,
}: SendCheck): SendOutcome | undefined {
  const { draft } = item;
  if (isRepeatedRequest(item, state)) return { kind: 'repeated' };
  if (!conversation) return state.conversation_exists ? { kind: 'contended' } : missingConversation(draft);
  if (conversation.deleted_at !== null)
    return draft.byServer ? refuse('object_deleted') : missingConversation(draft);
  const outdated = checkIncarnation(draft, state, askedIdentity);
  if (outdated) return outdated;
  // A sender who has been removed since learns that the message was sent.
  if (isStoredOfSender(item, state)) return { kind: 'duplicate' };
  if (hasMembershipEnded(draft, state)) return refuse('access_denied');
  const refusal = draft.byServer
    ? checkServerSender(item, state, askedIdentity)
    : (checkUserSender(item, state, { askedIdentity, now }) ??
      checkPolicy(item, standingOf(conversation, state), now));
  if (refusal) return refusal;
  const isTaken = state.stored_conversation_id !== null || state.is_reserved;
  return isTaken ? { kind: 'duplicate' } : undefined;
}

// The caller repeats a request whose answer it did not receive.
function isRepeatedRequest(item: OutgoingMessage, state: SendState): boolean {
  return (
    state.stored_request_id !== null &&
    state.stored_request_id === item.draft.requestId &&
    isStoredOfSender(item, state)
  );
}

/** Whether the conversation has a message of this id and sender already. */
function isStoredOfSender({ draft }: OutgoingMessage, state: SendState): boolean {
  return state.stored_conversation_id === draft.conversationId && state.stored_sender_id === draft.senderId;
}

/**
 * Whether the sender of a scheduled message was removed since, also if they take part again, or are a bot. Nearly all such messages are
 * dropped with the removal.
 */
function hasMembershipEnded({ senderJoinedSeq }: MessageDraft, state: SendState): boolean {
  return senderJoinedSeq !== undefined && (state.left_seq !== null || state.joined_seq !== senderJoinedSeq);
}

/**
 * A session sends for one incarnation of its user. An earlier incarnation is erased, and its sessions are over; the
 * identity service may know a later incarnation before this service does.
 */
function checkIncarnation(
  { senderIncarnation }: MessageDraft,
  { incarnation }: SendState,
  askedIdentity: boolean,
): SendOutcome | undefined {
  const known = incarnation ?? 0;
  if (senderIncarnation === undefined || senderIncarnation === known) return undefined;
  if (senderIncarnation < known) return refuse('access_denied');
  return askedIdentity ? refuse('service_unavailable') : { kind: 'unknown sender' };
}

function checkUserSender(
  { draft }: OutgoingMessage,
  state: SendState,
  { askedIdentity, now }: Pick<SendCheck, 'askedIdentity' | 'now'>,
): SendOutcome | undefined {
  if (state.member === null) return missingConversation(draft);
  // A removed participant cannot post.
  if (state.left_seq !== null) return { kind: 'problem', problem: absence(state, { action: 'send', now }) };
  const isUnsure = state.is_bot === null || (state.identity_deleted && draft.senderIncarnation === undefined);
  if (isUnsure && !askedIdentity) return { kind: 'unknown sender' };
  return isUnsure && state.identity_deleted ? refuse('access_denied') : undefined;
}

/** The state that decides on the acts of a sender. */
export function standingOf({ frozen_at }: ConversationRow, state: SendState): Standing {
  return {
    rules: state.rules ?? DEFAULT_RULES,
    role: state.participant_role,
    isFrozen: frozen_at !== null,
    mute: muteOf(state),
    shadow: shadowOf(state),
  };
}

function checkPolicy({ draft }: OutgoingMessage, standing: Standing, now: number): SendOutcome | undefined {
  const refusal =
    findRefusal(standing, 'send', now) ?? (draft.notification && findRefusal(standing, 'notify', now));
  return refusal && { kind: 'problem', problem: toProblem(refusal) };
}

// The sender of a server's message is a participant or a bot.
function checkServerSender(
  { draft }: OutgoingMessage,
  state: SendState,
  askedIdentity: boolean,
): SendOutcome | undefined {
  // A deleted sender may have been created again a moment ago.
  const isAbsent = state.is_bot === null || state.identity_deleted === true;
  if (isAbsent) return askedIdentity ? missingSender(draft) : { kind: 'unknown sender' };
  const isPresent = state.member !== null && state.left_seq === null;
  if (isPresent) return undefined;
  if (state.is_bot)
    return needsOutsideSenderRow(state) && !askedIdentity ? { kind: 'non-participant sender' } : undefined;
  return {
    kind: 'problem',
    problem: problem('invalid_property', { property: 'sender_id', message: NO_SENDER }),
  };
}

/** Whether a row must be written by which an erasure finds the messages of a bot that does not take part. */
function needsOutsideSenderRow({ member, is_outside_sender }: SendState): boolean {
  return member === null && !is_outside_sender;
}

/** `property`: the server named the sender in the body. */
function missingSender({ senderId }: MessageDraft): SendOutcome {
  return { kind: 'problem', problem: notFound('identity', senderId, { property: 'sender_id' }) };
}

function missingConversation({ conversationId }: MessageDraft): SendOutcome {
  return { kind: 'problem', problem: notFound('conversation', conversationId) };
}

function refuse(id: PlainProblemId): SendOutcome {
  return { kind: 'problem', problem: problem(id) };
}
