import { notFound } from '@parley/domain/problems';
import { bitmapOf } from '../../read-state/bitmap.ts';
import type { Context } from '../../context.ts';
import type { Change } from '../../log/append.ts';
import { conversationKey, participantKey } from '../../sql/keys.ts';
import { createProgress, type Progress, type ProgressBitmaps } from '../../read-state/progress.ts';
import type { ConversationBitmapRow } from '../../sql/read-state/conversation-bitmap.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { WithheldRun } from '../../sql/conversation/list-place.ts';
import type { MessageRow } from '../../sql/message/message.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import { isShadowed } from '../../policy/standing.ts';
import { checkSend, standingOf } from './check.ts';
import type { SendOutcome, OutgoingMessage } from './outgoing.ts';
import { placeMessage } from './place.ts';
import { placeShadowed } from './place-shadowed.ts';
import { takeSlowTurn, type SlowSend } from './slow-mode.ts';

/** The outcome of each message of a batch, and the rows to be written. */
export type SendPlan = {
  outcomes: SendOutcome[];
  messages: MessageRow[];
  /** Messages under a shadow restriction. */
  shadowed: MessageRow[];
  conversations: Set<ConversationRow>;
  /** Progresses by participantKey. */
  progresses: Map<string, Progress>;
  exclusions: Map<string, ConversationBitmapRow>;
  /** The last run of messages that is withheld from a participant, by participantKey. */
  withheld: Map<string, WithheldRun>;
  changes: Change[];
  /** Messages in slow mode, by the participantKey of their sender. */
  slowSends: Map<string, SlowSend>;
};

export type LoadedBatch = {
  items: readonly OutgoingMessage[];
  /** Locked conversations, by conversationKey. Messages of other existing conversations are contended. */
  conversations: ReadonlyMap<string, ConversationRow>;
  states: readonly SendState[];
  askedIdentity: boolean;
};

/** Decides on each message in order; accepted messages get the next positions. */
export function planSends(ctx: Context, batch: LoadedBatch): SendPlan {
  const plan: SendPlan = {
    outcomes: [],
    messages: [],
    shadowed: [],
    conversations: new Set(),
    progresses: createProgresses(batch.states),
    exclusions: new Map(),
    withheld: new Map(),
    changes: [],
    slowSends: new Map(),
  };
  const states = Map.groupBy(batch.states, (state) => state.item);
  const placed = new Map<string, OutgoingMessage>();
  batch.items.forEach((item, index) => {
    const key = `${item.draft.appId}/${item.draft.id}`;
    const earlier = placed.get(key);
    const outcome = planMessage(ctx, plan, { ...batch, item, earlier, states: states.get(index) ?? [] });
    plan.outcomes.push(outcome);
    if (!earlier && outcome.kind === 'sent') placed.set(key, item);
  });
  return plan;
}

type LoadedItem = LoadedBatch & {
  item: OutgoingMessage;
  /** The earlier message of this batch that has the same id. */
  earlier: OutgoingMessage | undefined;
};

function planMessage(
  ctx: Context,
  plan: SendPlan,
  { item, earlier, states, conversations, askedIdentity }: LoadedItem,
): SendOutcome {
  const { draft } = item;
  const conversation = conversations.get(conversationKey(draft.appId, draft.conversationId));
  const state = states.find(({ role }) => role === 'sender');
  const missing: SendOutcome = {
    kind: 'problem',
    problem: notFound('conversation', draft.conversationId),
  };
  if (!state) return missing;
  const refusal = checkSend({ item, conversation, state, askedIdentity, now: ctx.clock.now() });
  if (refusal ?? !conversation) return refusal ?? missing;
  if (earlier) return { kind: isRepeatedRequest(earlier, item) ? 'repeated' : 'duplicate' };
  const tooEarly = draft.byServer ? undefined : takeSlowTurn(plan, { conversation, state }, ctx.clock.now());
  if (tooEarly) return { kind: 'problem', problem: tooEarly };
  const isHidden = !draft.byServer && isShadowed(standingOf(conversation, state), ctx.clock.now());
  if (isHidden) return placeShadowed(ctx, plan, { item, conversation, state });
  return placeMessage(ctx, plan, {
    item,
    conversation,
    state,
    hiddenFrom: states.filter(({ role }) => role === 'hidden'),
    exceptions: states.filter(({ role }) => role === 'exception'),
  });
}

function isRepeatedRequest({ draft: first }: OutgoingMessage, { draft: second }: OutgoingMessage): boolean {
  return (
    first.requestId !== '' &&
    first.requestId === second.requestId &&
    first.senderId === second.senderId &&
    first.conversationId === second.conversationId
  );
}

function createProgresses(states: readonly SendState[]): Map<string, Progress> {
  const progresses = new Map<string, Progress>();
  for (const state of states) {
    const key = participantKey(state);
    if (state.member === null || progresses.has(key)) continue;
    const { read, delivered, hidden, contrary, member } = state;
    const number = bitmapOf(state.first_position);
    const bitmaps = new Map<number, ProgressBitmaps>(
      read ? [[number, { read, delivered, hidden, contrary }]] : [],
    );
    const row = { ...participantOf(state), member };
    progresses.set(key, createProgress(row, bitmaps, [{ first: number, last: Infinity }]));
  }
  return progresses;
}

function participantOf(state: SendState) {
  const { app_id, conversation_id, user_id, joined_seq, left_seq, left_head, unlisted_at } = state;
  const { read_until, delivered_until, hidden_until, covered_count, hidden_count } = state;
  const watermarks = { read_until, delivered_until, hidden_until };
  return {
    app_id,
    conversation_id,
    user_id,
    joined_seq,
    left_seq,
    left_head,
    unlisted_at,
    covered_count,
    hidden_count,
    ...watermarks,
  };
}
