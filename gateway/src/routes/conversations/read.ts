import { conversationJson } from '@parley/domain/json/conversation';
import { limits } from '@parley/domain/limits';
import { parsePage } from '@parley/domain/parse/page';
import { fail } from '@parley/domain/problems';
import { ListConversationsRequest_Sort as Sort } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Handler } from '../../http/route.ts';
import { conversationIdOf } from '../params.ts';

const pages = { kind: 'conversations', max: limits.conversationPage } as const;
const sorts = new Map([
  ['created_at', Sort.CREATED_AT],
  ['last_message', Sort.LAST_MESSAGE],
]);

export const listConversations: Handler = async (ctx, { query, appId, userId, view }) => {
  const page = parsePage(ctx.wire, query, pages);
  const sort =
    sorts.get(query.get('sort_by') ?? 'created_at') ?? fail('invalid_property', { property: 'sort_by' });
  const { conversations, total } = await ctx.messaging.listConversations({ ...page, appId, userId, sort });
  return {
    status: 200,
    headers: { [ctx.wire.countHeader]: String(total) },
    body: conversations.map((conversation) => conversationJson(view, conversation)),
  };
};

export const getConversation: Handler = async (ctx, request) => {
  const { appId, userId, view } = request;
  const id = conversationIdOf(ctx, request);
  const { conversation } = await ctx.messaging.getConversation({ appId, userId, id });
  return { status: 200, body: conversationJson(view, conversation ?? fail('not_found')) };
};
