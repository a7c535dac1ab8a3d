import { problem, type ProblemId } from '@parley/domain/problems';
import type { ConversationRow } from '../sql/conversation.ts';
import type { SendState } from '../sql/send.ts';
import type { Outcome, Outgoing } from './outgoing.ts';

export type Check = {
  item: Outgoing;
  /** Undefined: there is none, or it is not locked. */
  conversation: ConversationRow | undefined;
  /** The row about the sender. */
  state: SendState;
  /** The identity service was asked already for senders without a copy. */
  askedIdentity: boolean;
};

/** Undefined: the message may be stored. */
export function checkSend({ item, conversation, state, askedIdentity }: Check): Outcome | undefined {
  const { draft } = item;
  if (isOwnRow(item, state)) return { kind: 'known' };
  if (!conversation) return state.conversation_exists ? { kind: 'contended' } : refuse('not_found');
  if (conversation.deleted_at !== null) return refuse(draft.byServer ? 'object_deleted' : 'not_found');
  const refusal = draft.byServer ? checkSpokenFor(state, askedIdentity) : checkClient(state, askedIdentity);
  if (refusal) return refusal;
  const isTaken = state.stored_conversation_id !== null || state.is_reserved;
  return isTaken ? { kind: 'duplicate' } : undefined;
}

// A repeated attempt of a call whose outcome the caller did not learn.
function isOwnRow({ draft }: Outgoing, state: SendState): boolean {
  return (
    state.stored_request_id !== null &&
    state.stored_request_id === draft.requestId &&
    state.stored_conversation_id === draft.conversationId &&
    state.stored_sender_id === draft.senderId
  );
}

function checkClient(state: SendState, askedIdentity: boolean): Outcome | undefined {
  if (state.member === null) return refuse('not_found');
  if (state.left_seq !== null) return refuse('access_denied');
  return state.is_bot === null && !askedIdentity ? { kind: 'sender unknown' } : undefined;
}

// The sender of a server's message is a participant or a bot.
function checkSpokenFor(state: SendState, askedIdentity: boolean): Outcome | undefined {
  // A deleted sender may have come back a moment ago.
  const isAbsent = state.is_bot === null || state.identity_deleted === true;
  if (isAbsent) return askedIdentity ? refuse('not_found') : { kind: 'sender unknown' };
  const isPresent = state.member !== null && state.left_seq === null;
  if (isPresent || state.is_bot) return undefined;
  return { kind: 'problem', problem: problem('invalid_property', { property: 'sender_id' }) };
}

function refuse(id: ProblemId): Outcome {
  return { kind: 'problem', problem: problem(id) };
}
