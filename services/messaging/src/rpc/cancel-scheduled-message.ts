import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { CancelScheduledMessageRequest } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Context } from '../context.ts';
import { finishTyping } from '../message/schedule/typing.ts';
import { deleteScheduledMessage } from '../sql/message/scheduled-message.ts';

/** Problem: not_found when the message was sent already, or never existed. */
export async function cancelScheduledMessage(ctx: Context, request: CancelScheduledMessageRequest) {
  const { appId, conversationId, id } = request;
  if (!isUuid(conversationId) || !isUuid(id)) return fail('not_found');
  const ref = { appId, conversationId, id };
  const row = await ctx.db.tx((tx) => deleteScheduledMessage(tx, ref));
  if (!row) return fail('not_found');
  finishTyping(ctx, [row]);
  return {};
}
