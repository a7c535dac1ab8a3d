import { parsePatch } from '@parley/domain/parse/patch';
import { parsePosition } from '@parley/domain/parse/receipt';
import { patchWeight } from '../../limits/weights.ts';
import type { Handler } from '../../http/route.ts';
import { conversationIdOf } from '../params.ts';

export const updateConversation: Handler = async (ctx, request) => {
  const { appId, userId } = request;
  const id = conversationIdOf(ctx, request);
  const operations = parsePatch(ctx.wire, request.body);
  const { participantCount } = await ctx.messaging.updateConversation({ appId, userId, id, operations });
  request.weigh(patchWeight(participantCount));
  return { status: 204 };
};

export const markAllRead: Handler = async (ctx, request) => {
  const { appId, userId } = request;
  const conversationId = conversationIdOf(ctx, request);
  const upTo = parsePosition(request.body);
  const { position } = await ctx.messaging.markAllRead({ appId, userId, conversationId, position: upTo });
  return { status: 202, body: { position } };
};
