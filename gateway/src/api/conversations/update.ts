import { parsePatch } from '@parley/domain/parse/patch';
import { parsePosition } from '@parley/domain/parse/receipt';
import { patchWeight } from '../../admission/limits/weights.ts';
import type { Handler } from '../request/route.ts';
import { conversationIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function updateConversation(
  ctx: Uses<'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId } = request;
  const id = conversationIdOf(ctx, request);
  const operations = parsePatch(ctx.wire, request.body);
  const { participantCount } = await ctx.messaging.updateConversation({ appId, userId, id, operations });
  request.weigh(patchWeight(participantCount));
  return { status: 204 };
}

export type Mark = 'markAllRead' | 'markAllDelivered';

/** Marks messages up to a position. The event carries `requestId` unless it is empty. */
export function markUpToBy(mark: Mark, requestId: string): Handler {
  return async (ctx, request) => {
    const { appId, userId } = request;
    const conversationId = conversationIdOf(ctx, request);
    const upTo = { position: parsePosition(request.body) };
    const marking = { appId, userId, conversationId, requestId, ...upTo };
    const { position } = await ctx.messaging[mark](marking);
    return { status: 202, body: { position } };
  };
}

export const markAllRead: Handler = markUpToBy('markAllRead', '');
export const markAllDelivered: Handler = markUpToBy('markAllDelivered', '');
