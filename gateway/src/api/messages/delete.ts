import { parseMode } from '@parley/domain/parse/mode';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { conversationIdOf, messageIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function deleteMessage(
  ctx: Uses<'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, query } = request;
  const id = messageIdOf(ctx, request);
  await ctx.messaging.deleteMessage({ appId, userId, id, mode: parseMode(query) });
  return { status: 204 };
}

export async function deleteMessageForAll(
  ctx: Uses<'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId } = request;
  const id = messageIdOf(ctx, request);
  const conversationId = conversationIdOf(ctx, request);
  await ctx.messaging.deleteMessage({ appId, id, conversationId, mode: DeletionMode.ALL_PARTICIPANTS });
  return { status: 204 };
}
