import { limits } from '@parley/contract/limits';
import { noBits, withBit } from '@parley/domain/bits';
import { isUuid } from '@parley/domain/ids';
import { messageOfDraft } from '@parley/domain/message-of-draft';
import { DEFAULT_RULES, hasFeature } from '@parley/domain/policy';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { basicIdentity } from '../../identity/basic-identity.ts';
import { bitOf, bitmapOf } from '../../read-state/bitmap.ts';
import type { Context } from '../../context.ts';
import { addChange } from '../../log/append.ts';
import { participantKey } from '../../sql/keys.ts';
import { markException, markSent, markHiddenOnArrival } from '../../read-state/mark-progress.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import type { SendState } from '../../sql/message/send-state.ts';
import type { SendOutcome, OutgoingMessage } from './outgoing.ts';
import type { SendPlan } from './plan.ts';

export type Placement = {
  item: OutgoingMessage;
  conversation: ConversationRow;
  /** The row of the sender. */
  state: SendState;
  /** The rows of participants who block the sender. */
  hiddenFrom: readonly SendState[];
  /** The rows of participants for whom the message has the opposite significance. */
  exceptions: readonly SendState[];
};

/** Gives a message its position, and adds its effects to the plan. */
export function placeMessage(ctx: Context, plan: SendPlan, placement: Placement): SendOutcome {
  const { item, conversation, state, hiddenFrom } = placement;
  const now = ctx.clock.now();
  const position = conversation.head + 1;
  const { low } = item.draft;
  for (const other of hiddenFrom) withhold(plan, other, { position, before: conversation.last_message_at });
  conversation.head = position;
  conversation.last_message_at = now;
  plan.conversations.add(conversation);
  if (low) markLow(plan, placement, position);
  const sender = plan.progresses.get(participantKey(state));
  if (sender && sender.row.left_seq === null) markSent(sender, { position, low });
  for (const other of hiddenFrom) {
    const progress = plan.progresses.get(participantKey(other));
    if (progress) markHiddenOnArrival(progress, { position, low });
  }
  const exceptions = visibleExceptions(placement);
  for (const other of exceptions) {
    const progress = plan.progresses.get(participantKey(other));
    if (progress) markException(progress, { position, low });
  }
  const message = messageOfDraft(item.draft, { sender: senderOf(item.draft, state), position, sentAt: now });
  plan.messages.push(toRow(item, message));
  const withoutReceipts = !hasFeature(state.rules ?? DEFAULT_RULES, 'receipts');
  const change = addChange(ctx, conversation, {
    ...(message.sender && { actor: message.sender }),
    isAwaited: state.is_awaited,
    isSmall: item.body.length <= limits.messageBytes,
    body: {
      case: 'messageCreated',
      value: {
        message,
        hiddenFrom: hiddenFrom.map(({ user_id }) => user_id),
        contraryUserIds: exceptions.map(({ user_id }) => user_id),
        withoutReceipts,
      },
    },
  });
  plan.changes.push(change);
  const { seq, membersSeq } = change.event;
  return { kind: 'sent', message, seq, membersSeq, withoutReceipts };
}

/** `before`: when the message before was sent, if this transaction sends it, too. */
function withhold(
  plan: SendPlan,
  { app_id, conversation_id, user_id }: SendState,
  { position, before }: { position: number; before: number | null },
): void {
  const key = participantKey({ app_id, conversation_id, user_id });
  const run = plan.withheld.get(key);
  if (run?.last === position - 1) run.last = position;
  else {
    const begun = { first: position, last: position, before_at: before };
    plan.withheld.set(key, { app_id, conversation_id, user_id, ...begun });
  }
}

// A message that is hidden from a participant has no significance for them.
function visibleExceptions({ exceptions, hiddenFrom }: Placement): SendState[] {
  const hidden = new Set(hiddenFrom.map(({ user_id }) => user_id));
  return exceptions.filter(({ user_id }) => !hidden.has(user_id));
}

function markLow(plan: SendPlan, { conversation, state }: Placement, position: number): void {
  const number = bitmapOf(position);
  const key = `${conversation.app_id}/${conversation.id}/${number}`;
  // The row that was read is the bitmap of the batch's first position; later bitmaps are still empty.
  const isRead = state.low !== null && bitmapOf(state.first_position) === number;
  const { low, deleted } = plan.exclusions.get(key) ?? {
    low: isRead && state.low ? state.low : noBits(),
    deleted: isRead ? state.deleted : noBits(),
  };
  plan.exclusions.set(key, {
    app_id: conversation.app_id,
    conversation_id: conversation.id,
    block: number,
    low: withBit(low, bitOf(position)),
    deleted,
  });
  conversation.excluded_count += 1;
}

export function senderOf({ senderId }: MessageDraft, state: SendState): BasicIdentity {
  return basicIdentity({
    user_id: senderId,
    display_name: state.display_name,
    avatar_url: state.avatar_url,
    incarnation: state.incarnation,
  });
}

export function toRow({ draft, body }: OutgoingMessage, message: Message) {
  return {
    app_id: draft.appId,
    conversation_id: draft.conversationId,
    position: message.position,
    id: draft.id,
    request_id: isUuid(draft.requestId) ? draft.requestId : null,
    sender_id: draft.senderId,
    sent_at: message.sentAt,
    updated_at: null,
    low: draft.low,
    body,
    deleted_at: null,
    deleted_by: null,
    incarnation: message.sender?.incarnation || null,
  };
}
