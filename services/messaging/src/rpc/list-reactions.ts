import { limits } from '@parley/contract/limits';
import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { ListReactionsRequest } from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import type { Context } from '../context.ts';
import { basicIdentity } from '../identity/basic-identity.ts';
import { isVisible } from '../message/view.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { positionOf } from '../sql/message/message-at.ts';
import { findMessageViewRow, type MessageViewRow } from '../sql/message/message-view.ts';
import { listReactionPage, type ListedReactionRow } from '../sql/message/reaction-count.ts';
import { clampPageSize } from './page-size.ts';

/** Newest first. The reaction of `from_id` may have been taken back since: its id says when it was given. */
export async function listReactions(ctx: Context, request: ListReactionsRequest) {
  const { userId, key, fromId, pageSize } = request;
  const row = await getMessageRow(ctx, request);
  if (!hasSideTable(row, 'reactions')) return { reactions: [] };
  const rows = await listReactionPage(ctx.db, {
    place: positionOf(row),
    userId,
    key: key || null,
    before: isUuid(fromId) ? fromId : null,
    untilSeq: row.left_seq,
    limit: clampPageSize(pageSize, limits.reactionPage),
  });
  return { reactions: rows.map(toReaction) };
}

function toReaction(row: ListedReactionRow) {
  return { id: row.id, key: row.key, user: basicIdentity(row), createdAt: row.created_at };
}

async function getMessageRow(
  ctx: Context,
  { appId, messageId, conversationId, userId }: ListReactionsRequest,
): Promise<MessageViewRow> {
  if (!isUuid(messageId)) return failNotFound('message', messageId);
  const row = await findMessageViewRow(ctx.db, { appId, id: messageId, userId, body: 'stored' });
  if (!row || (conversationId && row.conversation_id !== conversationId))
    return failNotFound('message', messageId);
  if (row.deleted_at !== null || row.conversation_deleted_at !== null)
    return userId ? failNotFound('message', messageId) : fail('object_deleted');
  return userId && !isVisible(row) ? failNotFound('message', messageId) : row;
}
