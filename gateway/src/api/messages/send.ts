import { messageUrl, type View } from '@parley/domain/json/view';
import { messageJson } from '@parley/domain/json/message';
import { parseMessage, parseServerMessage } from '@parley/domain/parse/message';
import { fail } from '@parley/domain/problems';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { SentMessage } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Uses } from '../context.ts';
import { sentMessageText } from '../../upstream/messaging/sent-message.ts';
import type { SendResult } from '../../upstream/messaging/message-sender.ts';
import { idFromHeader } from '../request/id-from-header.ts';
import { conversationIdOf } from '../request/params.ts';
import { partRulesOf } from '../request/part-rules.ts';
import { toDraft } from './draft.ts';
import { scheduleMessage } from './schedule.ts';
import { sendBatch } from './send-batch.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';

export async function sendMessage(
  ctx: Uses<'audiences' | 'auth' | 'messageSender' | 'messageTexts' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const draft = readMessage(ctx, request);
  const id = draft.id ?? idFromHeader(ctx, request, 'messages');
  const result = await ctx.messageSender.send({ ...draft, id });
  return present(ctx, request.view, result);
}

/** Parses the message that a user wants to send. Problems: those of parseMessage and of a conversation's id. */
export function readMessage(ctx: Uses<'auth' | 'wire'>, request: ApiRequest) {
  const { appId, userId, incarnation } = request;
  const conversationId = conversationIdOf(ctx, request);
  const input = parseMessage(partRulesOf(ctx, request), request.body);
  const sender = { senderId: userId, ...(incarnation !== undefined && { senderIncarnation: incarnation }) };
  return { ...input, ...sender, appId, conversationId };
}

/** Sends one message, or an array of them: a batch. */
export async function sendAsServer(
  ctx: Uses<
    | 'audiences'
    | 'auth'
    | 'content'
    | 'identity'
    | 'log'
    | 'messageSender'
    | 'messageTexts'
    | 'messaging'
    | 'schedules'
    | 'wire'
  >,
  request: ApiRequest,
): Promise<HttpResponse> {
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

async function present(
  ctx: Uses<'audiences' | 'messageTexts'>,
  view: View,
  result: SendResult,
): Promise<HttpResponse> {
  const sent = requireSent(view, result);
  const { message } = sent;
  const json = await sentMessageText(ctx, view, sent);
  return { status: 201, headers: { location: messageUrl(view, message.conversationId, message.id) }, json };
}

/** Returns the stored message. Fails with id_in_use when an earlier message has the id. */
export function requireSent(view: View, result: SendResult): SentMessage & { message: Message } {
  if (result.case === 'duplicate') {
    const { message, receipts } = result.value;
    return fail('id_in_use', { data: message ? messageJson(view, message, receipts) : undefined });
  }
  const { value } = result;
  return { ...value, message: value.message ?? fail('internal_server_error') };
}
