import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { UpdateMessageRequest } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import type { Context } from '../context.ts';
import { changeMessage } from '../message/change.ts';
import { planMetadata, writeMetadata } from '../message/edit/write-metadata.ts';
import { requireOwnMessage } from '../message/permit.ts';
import { toMessage } from '../message/record.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { findMessageViewRow } from '../sql/message/message-view.ts';

/** Changes of one message run one after the other under the lock of its conversation, so that none is lost. */
export async function updateMessage(ctx: Context, request: UpdateMessageRequest) {
  const { appId, messageId, conversationId } = request;
  await changeMessage(ctx, { appId, messageId, conversationId }, (tx, conversation) =>
    updateInTransaction(ctx, tx, request, conversation),
  );
  return {};
}

async function updateInTransaction(
  ctx: Context,
  tx: Tx,
  { appId, messageId, userId, operations }: UpdateMessageRequest,
  conversation: ConversationRow | undefined,
): Promise<void> {
  const row = await findMessageViewRow(tx, { appId, id: messageId, userId, body: 'stored' });
  if (!conversation || !row) return failNotFound('message', messageId);
  if (conversation.deleted_at !== null || row.deleted_at !== null)
    return userId ? failNotFound('message', messageId) : fail('object_deleted');
  const act = { conversation, message: row, userId, id: 'access_denied' } as const;
  const effect = userId ? await requireOwnMessage(ctx, tx, act) : 'stored';
  const message = toMessage(row);
  const patch = planMetadata(message.metadata, operations);
  if (patch.operations.length === 0 || effect === 'none') return;
  await writeMetadata(ctx, tx, { conversation, message, patch, byUser: userId !== '' });
}
