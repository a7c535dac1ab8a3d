import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import {
  DeletionMode,
  type DeleteMessageRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { failAbsent, loadStanding } from '../policy/load-standing.ts';
import { requireAllowed } from '../policy/standing.ts';
import { requireWithin } from '../policy/window.ts';
import type { Context } from '../context.ts';
import { changeMessage } from '../message/change.ts';
import { deleteMessageForAll } from '../message/delete.ts';
import { hideMessage } from '../message/hide.ts';
import { isVisible } from '../message/view.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { findMessageViewRow, type MessageViewRow } from '../sql/message/message-view.ts';

/** Deletes a message; without a user id a server deletes it for all participants. A repetition by the same caller succeeds. */
export async function deleteMessage(ctx: Context, request: DeleteMessageRequest) {
  const { appId, id, conversationId } = request;
  await changeMessage(ctx, { appId, messageId: id, conversationId }, (tx, conversation) =>
    deleteInTransaction(ctx, tx, request, conversation),
  );
  return {};
}

async function deleteInTransaction(
  ctx: Context,
  tx: Tx,
  { appId, id, userId, mode }: DeleteMessageRequest,
  conversation: ConversationRow | undefined,
): Promise<void> {
  const message = await findMessageViewRow(tx, { appId, id, userId, body: 'stored' });
  if (!conversation || !message) return failNotFound('message', id);
  if (conversation.deleted_at !== null) return userId ? failNotFound('message', id) : fail('object_deleted');
  if (message.deleted_at !== null) {
    if (!userId || isRepeated(message, { userId, mode })) return;
    return failNotFound('message', id);
  }
  if (!userId) return deleteMessageForAll(ctx, tx, { conversation, message });
  if (mode !== DeletionMode.ALL_PARTICIPANTS) return hideMessage(ctx, tx, { conversation, message, userId });
  if (!isVisible(message)) return failNotFound('message', id);
  const isOwn = message.sender_id === userId && !message.is_of_erased;
  const action = isOwn ? 'delete_own' : 'delete_any';
  if (message.left_seq !== null) return failAbsent(ctx, tx, { conversation, userId, action });
  const standing = await loadStanding(tx, conversation, userId);
  const now = ctx.clock.now();
  requireAllowed(standing, action, now);
  if (isOwn) requireWithin('delete_window', standing, { sentAt: message.sent_at, now });
  return deleteMessageForAll(ctx, tx, { conversation, message, userId });
}

/** Whether the user deleted the message before: for all, or, a shadowed one of theirs, on their devices. */
function isRepeated(
  { shadowed, deleted_by, is_deleted_by_erased }: MessageViewRow,
  { userId, mode }: Pick<DeleteMessageRequest, 'userId' | 'mode'>,
): boolean {
  if (shadowed && mode === DeletionMode.ALL_PARTICIPANTS) return false;
  return deleted_by === userId && !is_deleted_by_erased;
}
