import { messageUrl, type View } from '@parley/domain/json/view';
import { messageJson } from '@parley/domain/json/message';
import { parseMessage, parseServerMessage } from '@parley/domain/parse/message';
import { fail } from '@parley/domain/problems';
import type { GatewayContext } from '../../context.ts';
import { sentMessageText } from '../../messaging/sent-message.ts';
import type { SendResult } from '../../messaging/message-sender.ts';
import { idFromHeader } from '../request/id-from-header.ts';
import { conversationIdOf } from '../request/params.ts';
import { partRulesOf } from '../request/part-rules.ts';
import { toDraft } from './draft.ts';
import { scheduleMessage } from './schedule.ts';
import { sendBatch } from './send-batch.ts';
import type { HttpResponse } from '../../responses/response.ts';
import type { ApiRequest } from '../request/route.ts';

export async function sendMessage(ctx: GatewayContext, request: ApiRequest): Promise<HttpResponse> {
  const { appId, userId, incarnation, view } = request;
  const conversationId = conversationIdOf(ctx, request);
  const input = parseMessage(partRulesOf(ctx, request), request.body);
  const id = input.id ?? idFromHeader(ctx, request, 'messages');
  const sender = { senderId: userId, ...(incarnation !== undefined && { senderIncarnation: incarnation }) };
  const result = await ctx.messageSender.send({ ...input, ...sender, appId, conversationId, id });
  return present(ctx, view, result);
}

/** Sends one message, or an array of them: a batch. */
export async function sendAsServer(ctx: GatewayContext, request: ApiRequest): Promise<HttpResponse> {
  if (Array.isArray(request.body)) return sendBatch(ctx, request);
  const { appId, view } = request;
  const conversationId = conversationIdOf(ctx, request);
  const { schedule, ...given } = parseServerMessage(partRulesOf(ctx, request), request.body);
  const input = toDraft(given);
  const id = input.id ?? idFromHeader(ctx, request, 'messages');
  const draft = { ...input, appId, conversationId, id, byServer: true };
  if (schedule) return scheduleMessage(ctx, request, { draft, schedule });
  const result = await ctx.messageSender.send(draft);
  return present(ctx, view, result);
}

async function present(ctx: GatewayContext, view: View, result: SendResult): Promise<HttpResponse> {
  if (result.case === 'duplicate') {
    const { message, receipts } = result.value;
    return fail('id_in_use', { data: message ? messageJson(view, message, receipts) : undefined });
  }
  const { message = fail('internal_server_error'), seq, membersSeq } = result.value;
  const json = await sentMessageText(ctx, view, { message, seq, membersSeq });
  return { status: 201, headers: { location: messageUrl(view, message.conversationId, message.id) }, json };
}
