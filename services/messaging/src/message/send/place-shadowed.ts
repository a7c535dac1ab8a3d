import { limits } from '@parley/contract/limits';
import { messageOfDraft } from '@parley/domain/message-of-draft';
import { DEFAULT_RULES, hasFeature } from '@parley/domain/policy';
import type { Context } from '../../context.ts';
import { addChange } from '../../log/append.ts';
import type { SendOutcome } from './outgoing.ts';
import { senderOf, toRow, type Placement } from './place.ts';
import type { SendPlan } from './plan.ts';

/**
 * Gives a message under a shadow restriction its position, which counts as deleted for everybody. The time of the last message stays, and
 * only the sender's sockets, webhooks and exports get the event.
 */
export function placeShadowed(
  ctx: Context,
  plan: SendPlan,
  { item, conversation, state }: Pick<Placement, 'item' | 'conversation' | 'state'>,
): SendOutcome {
  const sentAt = ctx.clock.now();
  const position = conversation.head + 1;
  conversation.head = position;
  conversation.excluded_count += 1;
  conversation.deleted_count += 1;
  plan.conversations.add(conversation);
  const message = messageOfDraft(item.draft, { sender: senderOf(item.draft, state), position, sentAt });
  message.shadowed = true;
  plan.shadowed.push(toRow(item, message));
  const withoutReceipts = !hasFeature(state.rules ?? DEFAULT_RULES, 'receipts');
  const change = addChange(ctx, conversation, {
    ...(message.sender && { actor: message.sender }),
    isAwaited: state.is_awaited,
    isSmall: item.body.length <= limits.messageBytes,
    onlyUserIds: [item.draft.senderId],
    body: {
      case: 'messageCreated',
      value: { message, withoutReceipts },
    },
  });
  plan.changes.push(change);
  const { seq, membersSeq } = change.event;
  return { kind: 'sent', message, seq, membersSeq, withoutReceipts };
}
