import { isUuid } from '@parley/domain/ids';
import { limits } from '@parley/contract/limits';
import { fail, failNotFound, failUnknownFromId } from '@parley/domain/problems';
import { findGoneItem } from '@parley/kit/durable/gone-items';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import type { Sql } from '@parley/kit/postgres';
import type { ListScheduledMessagesRequest } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Context } from '../context.ts';
import { toScheduledMessage } from '../message/schedule/record.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { findConversationStatus } from '../sql/conversation/conversation-view.ts';
import {
  countScheduledMessages,
  findScheduledMessage,
  listScheduledMessages as listRows,
} from '../sql/message/scheduled-message.ts';
import { clampPageSize } from './page-size.ts';

/** The message that is due first comes first. */
export async function listScheduledMessages(ctx: Context, request: ListScheduledMessagesRequest) {
  const { appId, conversationId, pageSize } = request;
  if (!isUuid(conversationId)) return failNotFound('conversation', conversationId);
  return readSnapshot(ctx, async (sql) => {
    const conversation = await findConversationStatus(sql, {
      appId,
      id: conversationId,
      userId: '',
    });
    if (!conversation) return failNotFound('conversation', conversationId);
    if (conversation.deleted) return fail('object_deleted');
    const place = { appId, conversationId };
    const limit = clampPageSize(pageSize, limits.messagePage);
    const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
    const rows = await listRows(sql, { ...place, after: await findStart(sql, request), limit, budget });
    const last = rows.length < (rows[0]?.found ?? 0) ? rows.at(-1) : undefined;
    return {
      messages: rows.map(toScheduledMessage),
      total: await countScheduledMessages(sql, place),
      cursor: last ? `${last.due_at}/${last.id}` : '',
    };
  });
}

type Start = { dueAt: number; id: string };

async function findStart(sql: Sql, request: ListScheduledMessagesRequest): Promise<Start | null> {
  const { appId, conversationId, fromId, cursor } = request;
  if (cursor !== '') return parseCursor(cursor);
  if (fromId === '') return null;
  if (!isUuid(fromId)) return failUnknownFromId();
  const row = await findScheduledMessage(sql, { appId, id: fromId });
  if (row?.conversation_id === conversationId) return { dueAt: row.due_at, id: row.id };
  const gone = await findGoneItem(sql, { appId, listId: conversationId, id: fromId });
  return gone?.place != null ? { dueAt: gone.place, id: fromId } : failUnknownFromId();
}

function parseCursor(cursor: string): Start {
  const [at = '', id = ''] = cursor.split('/');
  const dueAt = Number(at);
  return isUuid(id) && Number.isFinite(dueAt)
    ? { dueAt, id }
    : fail('invalid_property', { property: 'cursor' });
}
