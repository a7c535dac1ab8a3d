import { notFound, problem } from '@parley/domain/problems';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import type { Context } from '../../context.ts';
import { addChange, type Change } from '../../log/append.ts';
import { isDeleted } from '../exclusions.ts';
import { markDelivered, markRead } from '../mark-progress.ts';
import { isHidden, limitOf } from '../progress.ts';
import { actorOf, type LoadedProgress } from '../load-progress.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import { unreadCount } from '../unread.ts';
import type { MessagePlace } from '../../sql/message/message.ts';

/** A receipt for a message that exists, or existed. */
export type Receipt = { userId: string; type: ReceiptType; place: MessagePlace };

type LoadedReceipt = { conversation: ConversationRow; loaded: LoadedProgress };
type Recorded = { problem?: Problem; change?: Change };

/**
 * A receipt that changes nothing emits no event. Where the type has no receipts, only the reader's own state and devices get it.
 * docs/protocol/receipts.md#send-a-receipt
 */
export function recordReceipt(
  ctx: Context,
  { userId, type, place }: Receipt,
  state: LoadedReceipt,
): Recorded {
  const { conversation, loaded } = state;
  const { progress, exclusions } = loaded;
  const { position, sender_id } = place;
  const { head } = conversation;
  const isOwnShadowed = place.is_shadowed === true && sender_id === userId;
  const isGone = isHidden(progress, position) || (isDeleted(exclusions, position) && !isOwnShadowed);
  if (isGone || position > limitOf(progress, head)) return { problem: notFound('message', place.id) };
  if (progress.row.left_seq !== null) return { problem: problem('access_denied') };
  if (sender_id === userId || (loaded.areReceiptsOff && type === ReceiptType.DELIVERY)) return {};
  const record = type === ReceiptType.READ ? markRead : markDelivered;
  if (!record(progress, position, { head, exclusions })) return {};
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
    isAwaited: loaded.isAwaited && !loaded.areReceiptsOff,
    onlyUserIds: loaded.areReceiptsOff ? [userId] : [sender_id, userId],
    body: {
      case: 'receiptRecorded',
      value: {
        type,
        userId,
        messageId: place.id,
        position,
        senderUserId: sender_id,
        unreadMessageCount: unreadCount(progress, head, exclusions),
        ownOnly: loaded.areReceiptsOff,
      },
    },
  });
  return { change };
}
