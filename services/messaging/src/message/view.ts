import { statusOf } from '@parley/domain/receipts';
import type { ConversationReceipts, Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { attachReactions } from '../reaction/attach.ts';
import { toMessage } from './record.ts';
import { listReceipts } from '../read-state/receipts.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';
import { findMessageViewRow, type MessageViewRow } from '../sql/message/message-view.ts';

export type MessageView =
  | { kind: 'visible'; message: Message; receipts: ConversationReceipts }
  /** The message was deleted for all, or its conversation was deleted. */
  | { kind: 'deleted' }
  | { kind: 'absent' };

export type ViewQuery = { appId: string; id: string; userId: string; conversationId?: string };

/** A message as a user sees it, or a server if `userId` is empty. */
export async function findMessageView(ctx: Context, query: ViewQuery): Promise<MessageView> {
  const { appId, id, userId } = query;
  const row = await findMessageViewRow(ctx.db, { appId, id, userId, body: 'seen' });
  if (!row || (query.conversationId && row.conversation_id !== query.conversationId))
    return { kind: 'absent' };
  if (row.deleted_at !== null || row.conversation_deleted_at !== null) {
    return { kind: query.userId ? 'absent' : 'deleted' };
  }
  if (query.userId && !isVisible(row)) return { kind: 'absent' };
  const { app_id, conversation_id, position } = row;
  const [receipts] = await listReceipts(ctx.db, [
    { appId: app_id, conversationId: conversation_id, first: position, last: position },
  ]);
  if (!receipts) return { kind: 'absent' };
  const message = toMessage(row);
  const shown = { conversation: row, messages: [message], untilSeq: row.left_seq };
  await attachReactions(ctx.db, { appId, userId }, shown);
  if (query.userId)
    message.isUnread = isUnread(receipts, { user_id: query.userId, left_seq: row.left_seq }, message);
  return { kind: 'visible', message, receipts };
}

/** The existing message that has the id of a new one; empty when the user does not see it. */
export async function showDuplicate(
  ctx: Context,
  query: ViewQuery,
): Promise<{ message?: Message; receipts?: ConversationReceipts }> {
  const view = await findMessageView(ctx, query);
  return view.kind === 'visible' ? { message: view.message, receipts: view.receipts } : {};
}

/**
 * A message is visible unless it is hidden or came after the user left. Users who were added later see earlier
 * messages, unless they were added without the history.
 */
export function isVisible(row: MessageViewRow): boolean {
  const { position, hidden_until, left_head, is_hidden } = row;
  if (hidden_until === null || is_hidden) return false;
  return position > hidden_until && position <= (left_head ?? row.head);
}

/**
 * Independent of significance: a message that does not count as unread is not read for that reason. False for a former participant,
 * whose receipts are refused, and for a shadowed message, which the reader has sent.
 */
export function isUnread(
  receipts: ConversationReceipts,
  reader: Pick<ParticipantRow, 'user_id' | 'left_seq'>,
  { position, shadowed }: Pick<Message, 'position' | 'shadowed'>,
): boolean {
  if (reader.left_seq !== null || shadowed) return false;
  const state = receipts.states.find((one) => one.userId === reader.user_id);
  const status = state && statusOf(state, position);
  return status !== undefined && status !== 'read';
}
