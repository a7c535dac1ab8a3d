import { scheduledMessageJson } from '@parley/domain/json/scheduled-message';
import { limits } from '@parley/contract/limits';
import { parsePage } from '@parley/domain/parse/page';
import { failNotFound } from '@parley/domain/problems';
import type { ScheduledMessage } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { respondWithList } from '@parley/http/answers/list';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { conversationIdOf, messageIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

const PAGES = { kind: 'messages', max: limits.messagePage } as const;

export async function listScheduledMessages(
  ctx: Uses<'responseSlots' | 'schedules' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, view } = request;
  const conversationId = conversationIdOf(ctx, request);
  const page = parsePage(ctx.wire, request.query, PAGES);
  let cursor = '';
  const list: PagedList<ScheduledMessage> = {
    async ask(wanted) {
      const place = { appId, conversationId, cursor };
      const found = await ctx.schedules.listScheduledMessages({ ...wanted, ...place });
      ({ cursor } = found);
      return { records: found.messages, total: found.total, hasMore: cursor !== '' };
    },
    idOf: ({ draft }) => draft?.id ?? '',
    render: (records) => records.map((message) => scheduledMessageJson(view, message)),
  };
  return respondWithList(ctx, request, () => readChunks(list, page));
}

export async function getScheduledMessage(
  ctx: Uses<'schedules' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const ref = {
    appId: request.appId,
    conversationId: conversationIdOf(ctx, request),
    id: messageIdOf(ctx, request),
  };
  const { message } = await ctx.schedules.getScheduledMessage(ref);
  return {
    status: 200,
    body: scheduledMessageJson(request.view, message ?? failNotFound('scheduled_message', ref.id)),
  };
}

export async function cancelScheduledMessage(
  ctx: Uses<'schedules' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const ref = {
    appId: request.appId,
    conversationId: conversationIdOf(ctx, request),
    id: messageIdOf(ctx, request),
  };
  await ctx.schedules.cancelScheduledMessage(ref);
  return { status: 204 };
}
