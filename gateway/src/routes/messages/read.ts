import { messageJson } from '@parley/domain/json/message';
import { limits } from '@parley/domain/limits';
import { parsePage } from '@parley/domain/parse/page';
import { fail } from '@parley/domain/problems';
import type { Handler } from '../../http/route.ts';
import { conversationIdOf, messageIdOf } from '../params.ts';

const pages = { kind: 'messages', max: limits.messagePage } as const;

export const listMessages: Handler = async (ctx, request) => {
  const { appId, userId, view } = request;
  const conversationId = conversationIdOf(ctx, request);
  const page = parsePage(ctx.wire, request.query, pages);
  const found = await ctx.messaging.listMessages({ ...page, appId, userId, conversationId });
  return {
    status: 200,
    headers: { [ctx.wire.countHeader]: String(found.total) },
    body: found.messages.map((message) => messageJson(view, message, found.receipts)),
  };
};

/** By a client's path, or by a server's, which names the conversation too. */
export const getMessage: Handler = async (ctx, request) => {
  const { appId, userId, view, params } = request;
  const id = messageIdOf(ctx, request);
  const conversationId = params['conversation_id'] === undefined ? '' : conversationIdOf(ctx, request);
  const { message, receipts } = await ctx.messaging.getMessage({ appId, userId, id, conversationId });
  return { status: 200, body: messageJson(view, message ?? fail('not_found'), receipts) };
};
