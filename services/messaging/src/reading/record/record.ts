import { problem } from '@parley/domain/problems';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import type { Context } from '../../context.ts';
import { addChange, type Change } from '../../log/append.ts';
import { isDeleted } from '../exclusions.ts';
import { recordDelivered, recordRead } from '../mark-progress.ts';
import { isHidden, limitOf } from '../progress.ts';
import { actorOf, type Loaded } from '../load-progress.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import { unreadCount } from '../unread.ts';
import type { Receipt } from './run.ts';

type Given = { conversation: ConversationRow; loaded: Loaded };
type Recorded = { problem?: Problem; change?: Change };

/** SPEC Receipts. Nothing that changes nothing is told. */
export function recordReceipt(ctx: Context, { userId, type, place }: Receipt, given: Given): Recorded {
  const { conversation, loaded } = given;
  const { progress, exclusions } = loaded;
  const { position, sender_id } = place;
  const { head } = conversation;
  const isGone = isHidden(progress, position) || isDeleted(exclusions, position);
  if (isGone || position > limitOf(progress, head)) return { problem: problem('not_found') };
  if (progress.row.left_seq !== null) return { problem: problem('access_denied') };
  if (sender_id === userId) return {};
  const record = type === ReceiptType.READ ? recordRead : recordDelivered;
  if (!record(progress, position, { head, exclusions })) return {};
  const change = addChange(ctx, conversation, {
    actor: actorOf(loaded),
    onlyUserIds: [sender_id, userId],
    body: {
      case: 'receiptRecorded',
      value: {
        type,
        userId,
        messageId: place.id,
        position,
        senderUserId: sender_id,
        unreadMessageCount: unreadCount(progress, head, exclusions),
      },
    },
  });
  return { change };
}
