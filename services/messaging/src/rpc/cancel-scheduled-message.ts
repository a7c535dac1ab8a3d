import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { CancelScheduledMessageRequest } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Context } from '../context.ts';
import { finishTyping } from '../message/schedule/typing.ts';
import { deleteScheduledMessage } from '../sql/message/scheduled-message.ts';

/** Problem: not_found when the message was sent already, or never existed. */
export async function cancelScheduledMessage(ctx: Context, request: CancelScheduledMessageRequest) {
  const { appId, conversationId, id } = request;
  if (!isUuid(conversationId) || !isUuid(id)) return failNotFound('scheduled_message', id);
  const ref = { appId, conversationId, id };
  const row = await ctx.db.tx((tx) => deleteScheduledMessage(tx, ref));
  if (!row) return failNotFound('scheduled_message', id);
  finishTyping(ctx, [row]);
  return {};
}
