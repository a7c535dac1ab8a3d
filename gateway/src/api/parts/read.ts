import { partJson } from '@parley/domain/json/part';
import { failNotFound } from '@parley/domain/problems';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { messageRefOf, partIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';

export async function listParts(ctx: Uses<'messaging' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  const message = await readMessage(ctx, request);
  return { status: 200, body: message.parts.map((part) => partJson(request.view, message, part)) };
}

export async function getPart(ctx: Uses<'messaging' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  const message = await readMessage(ctx, request);
  const partId = partIdOf(ctx, request);
  const part = message.parts.find(({ id }) => id === partId) ?? failNotFound('part', partId);
  return { status: 200, body: partJson(request.view, message, part) };
}

async function readMessage(ctx: Uses<'messaging' | 'wire'>, request: ApiRequest): Promise<Message> {
  const { appId, userId } = request;
  const { messageId: id, conversationId } = messageRefOf(ctx, request);
  const { message } = await ctx.messaging.getMessage({ appId, userId, id, conversationId });
  return message ?? failNotFound('message', id);
}
