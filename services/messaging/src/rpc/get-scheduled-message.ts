import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { GetScheduledMessageRequest } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Context } from '../context.ts';
import { toScheduledMessage } from '../message/schedule/record.ts';
import { findScheduledMessage } from '../sql/message/scheduled-message.ts';

export async function getScheduledMessage(ctx: Context, request: GetScheduledMessageRequest) {
  const { appId, conversationId, id } = request;
  if (!isUuid(id)) return failNotFound('scheduled_message', id);
  const row = await findScheduledMessage(ctx.db, { appId, id });
  if (!row || row.conversation_id !== conversationId) return failNotFound('scheduled_message', id);
  return { message: toScheduledMessage(row) };
}
