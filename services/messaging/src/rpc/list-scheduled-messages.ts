import { isUuid } from '@parley/domain/ids';
import { limits } from '@parley/domain/limits';
import { fail } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import type { ListScheduledMessagesRequest } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Context } from '../context.ts';
import { toScheduled } from '../scheduling/scheduled.ts';
import { readTogether } from '../snapshot.ts';
import { findPresence } from '../sql/conversation-view.ts';
import {
  countScheduledMessages,
  findScheduledMessage,
  listScheduledMessages as listRows,
  type ScheduledRow,
} from '../sql/scheduled-message.ts';

/** The next one first. */
export async function listScheduledMessages(ctx: Context, request: ListScheduledMessagesRequest) {
  const { appId, conversationId, pageSize } = request;
  if (!isUuid(conversationId)) return fail('not_found');
  return readTogether(ctx, async (sql) => {
    const conversation = await findPresence(sql, { app_id: appId, id: conversationId, user_id: '' });
    if (!conversation) return fail('not_found');
    if (conversation.deleted) return fail('object_deleted');
    const place = { app_id: appId, conversation_id: conversationId };
    const limit = pageSize >= 1 ? Math.min(Math.floor(pageSize), limits.messagePage) : limits.messagePage;
    const rows = await listRows(sql, { ...place, after: await findStart(sql, request), limit });
    return { messages: rows.map(toScheduled), total: await countScheduledMessages(sql, place) };
  });
}

async function findStart(sql: Sql, request: ListScheduledMessagesRequest): Promise<ScheduledRow | null> {
  const { appId, conversationId, fromId } = request;
  if (fromId === '') return null;
  const row = isUuid(fromId) ? await findScheduledMessage(sql, { app_id: appId, id: fromId }) : undefined;
  return row?.conversation_id === conversationId ? row : fail('invalid_property', { property: 'from_id' });
}
