import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { EditPartsRequest } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import type { Context } from '../context.ts';
import { changeMessage } from '../message/change.ts';
import { requireEditable } from '../message/permit.ts';
import { toMessage } from '../message/record.ts';
import { applyEdit } from '../message/edit/apply-edit.ts';
import { writeEdit } from '../message/edit/write-edit.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { findMessageViewRow } from '../sql/message/message-view.ts';

/** Edits of one message run one after the other under the lock of its conversation, so that none is lost. */
export async function editParts(ctx: Context, request: EditPartsRequest) {
  const { appId, messageId, conversationId } = request;
  return changeMessage(ctx, { appId, messageId, conversationId }, (tx, conversation) =>
    editInTransaction(ctx, tx, request, conversation),
  );
}

async function editInTransaction(
  ctx: Context,
  tx: Tx,
  request: EditPartsRequest,
  conversation: ConversationRow | undefined,
) {
  const { appId, messageId, userId, edit, requestId } = request;
  const row = await findMessageViewRow(tx, { appId, id: messageId, userId, body: 'stored' });
  if (!conversation || !row) return failNotFound('message', messageId);
  if (conversation.deleted_at !== null || row.deleted_at !== null) {
    return userId ? failNotFound('message', messageId) : fail('object_deleted');
  }
  // 403 for a user who sees the message but must not edit it: docs/protocol/messages.md#parts
  const effect = userId
    ? await requireEditable(ctx, tx, { conversation, message: row, userId, id: 'permission_denied' })
    : 'stored';
  const message = toMessage(row);
  const edited = applyEdit(message.parts, { edit, requestId, now: ctx.clock.now() });
  if (edited.kind === 'id in use') return { idInUse: edited.part };
  if (edited.kind === 'done') return { message };
  if (effect === 'none') return { message: { ...message, parts: edited.parts, updatedAt: ctx.clock.now() } };
  return { message: await writeEdit(ctx, tx, { conversation, message, edited, userId }) };
}
