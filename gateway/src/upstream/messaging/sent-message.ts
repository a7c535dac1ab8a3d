import { seenMessageText, statusesText } from '@parley/domain/json/message-text';
import type { View } from '@parley/domain/json/view';
import type { SentMessage } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { membersAt, type Audiences } from './audiences.ts';
import type { MessageTexts } from './message-texts.ts';

type Sent = Pick<SentMessage, 'seq' | 'membersSeq'> & {
  message: Message;
  /** The type has no receipts: only the sender is named. */
  withoutReceipts?: boolean;
};

/** The JSON text of a newly stored message in the sender's view: `sent` for all other participants, `read` for the sender. */
export async function sentMessageText(
  { audiences, messageTexts }: { audiences: Audiences; messageTexts: MessageTexts },
  view: View,
  { message, seq, membersSeq, withoutReceipts }: Sent,
): Promise<string> {
  const { appId, conversationId, sender } = message;
  const statuses = new Map<string, 'sent' | 'read'>();
  if (!withoutReceipts) {
    const audience =
      audiences.peek(appId, conversationId, membersSeq) ??
      (await audiences.at(appId, conversationId, membersSeq));
    for (const { identity } of membersAt(audience, seq)) if (identity) statuses.set(identity.userId, 'sent');
  }
  if (sender) statuses.set(sender.userId, 'read');
  const text = messageTexts.of(view, message);
  const isUnread = view.audience === 'server' ? null : false;
  return seenMessageText(text, { isUnread, statuses: statusesText(view.wire, statuses) });
}
