import { scheduledMessageJson } from '@parley/domain/json/scheduled-message';
import { limits } from '@parley/domain/limits';
import { parsePage } from '@parley/domain/parse/page';
import { fail } from '@parley/domain/problems';
import type { ScheduledMessage } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { answerList } from '../../answers/list.ts';
import { readPieces, type PagedList } from '../../answers/pieces.ts';
import type { Handler, Route } from '../route.ts';
import { conversationIdOf, messageIdOf } from '../params.ts';

const PAGES = { kind: 'messages', max: limits.messagePage } as const;

const list: Handler = async (ctx, request) => {
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
  return answerList(ctx, request, () => readPieces(list, page));
};

const get: Handler = async (ctx, request) => {
  const ref = {
    appId: request.appId,
    conversationId: conversationIdOf(ctx, request),
    id: messageIdOf(ctx, request),
  };
  const { message } = await ctx.schedules.getScheduledMessage(ref);
  return { status: 200, body: scheduledMessageJson(request.view, message ?? fail('not_found')) };
};

const cancel: Handler = async (ctx, request) => {
  const ref = {
    appId: request.appId,
    conversationId: conversationIdOf(ctx, request),
    id: messageIdOf(ctx, request),
  };
  await ctx.schedules.cancelScheduledMessage(ref);
  return { status: 204 };
};

const all = '/apps/:app_uuid/conversations/:conversation_id/scheduled_messages';
const one = `${all}/:message_id`;

/** What waits to be sent; beyond the specification. */
export const scheduledMessages: Route[] = [
  { method: 'GET', path: all, auth: 'bearer', kind: 'list', summary: 'List delayed messages', handle: list },
  { method: 'GET', path: one, auth: 'bearer', summary: 'Get a delayed message', handle: get },
  { method: 'DELETE', path: one, auth: 'bearer', summary: 'Cancel a delayed message', handle: cancel },
];
