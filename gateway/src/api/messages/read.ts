import { messageJson } from '@parley/domain/json/message';
import { limits } from '@parley/contract/limits';
import { parsePage } from '@parley/domain/parse/page';
import { failNotFound } from '@parley/domain/problems';
import type { ConversationReceipts, Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { respondWithList } from '@parley/http/answers/list';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { conversationIdOf, messageIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

const PAGES = { kind: 'messages', max: limits.messagePage } as const;

export async function listMessages(
  ctx: Uses<'messaging' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, view } = request;
  const conversationId = conversationIdOf(ctx, request);
  const page = parsePage(ctx.wire, request.query, PAGES);
  const list: PagedList<Listed> = {
    async ask(wanted) {
      const found = await ctx.messaging.listMessages({ ...wanted, appId, userId, conversationId });
      const { messages, receipts, total, hasMore } = found;
      return { records: messages.map((message) => ({ message, receipts })), total, hasMore };
    },
    idOf: ({ message }) => message.id,
    render: (records) => records.map(({ message, receipts }) => messageJson(view, message, receipts)),
  };
  return respondWithList(ctx, request, () => readChunks(list, page));
}

type Listed = { message: Message; receipts: ConversationReceipts | undefined };

/** Serves both the path for clients and the path for servers, which also names the conversation. */
export async function getMessage(
  ctx: Uses<'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, view, params } = request;
  const id = messageIdOf(ctx, request);
  const conversationId = params['conversation_id'] === undefined ? '' : conversationIdOf(ctx, request);
  const { message, receipts } = await ctx.messaging.getMessage({ appId, userId, id, conversationId });
  return { status: 200, body: messageJson(view, message ?? failNotFound('message', id), receipts) };
}
