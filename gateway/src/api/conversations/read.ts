import { conversationsUrl } from '@parley/domain/json/view';
import { conversationJson } from '@parley/domain/json/conversation';
import { limits } from '@parley/contract/limits';
import { parseChoice } from '@parley/domain/parse/choice';
import { parsePage } from '@parley/domain/parse/page';
import { failNotFound } from '@parley/domain/problems';
import { ListConversationsRequest_Sort as Sort } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { respondWithList } from '@parley/http/answers/list';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { conversationIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

const PAGES = { kind: 'conversations', max: limits.conversationPage } as const;
const SORTS = { created_at: Sort.CREATED_AT, last_message: Sort.LAST_MESSAGE } as const;

export async function listConversations(
  ctx: Uses<'messaging' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { query, appId, userId, view } = request;
  const page = parsePage(ctx.wire, query, PAGES);
  const sort = parseChoice(SORTS, query.get('sort_by') ?? 'created_at', 'sort_by');
  const cursor = query.get('cursor') ?? '';
  let ids: string[] = [];
  let next: NextPage | undefined;
  const list: PagedList<Conversation> = {
    // The following page is addressed by a cursor of ids, since the order of the list changes with every message.
    async ask(wanted) {
      const found = await ctx.messaging.listConversations({ ...wanted, appId, userId, sort, ids, cursor });
      ids = found.restIds;
      next ??= { cursor: found.nextCursor, fromId: ids.at(-1) ?? found.conversations.at(-1)?.id ?? '' };
      return { records: found.conversations, total: found.total, hasMore: ids.length > 0 };
    },
    idOf: ({ id }) => id,
    render: (records) => records.map((conversation) => conversationJson(view, conversation)),
  };
  return respondWithList(
    ctx,
    request,
    () => readChunks(list, page),
    () => linkToNext(request, next),
  );
}

/** `fromId` is for processes of the previous release, which do not know cursors. */
type NextPage = { cursor: string; fromId: string };

/** The address of the next page of a list whose items may change places. docs/protocol/requests.md#lists */
function linkToNext({ query, view }: ApiRequest, next: NextPage | undefined): Record<string, string> {
  if (!next?.cursor) return {};
  const parameters = new URLSearchParams(query);
  parameters.set('from_id', next.fromId);
  parameters.set('cursor', next.cursor);
  return { link: `<${conversationsUrl(view)}?${parameters.toString()}>; rel="next"` };
}

export async function getConversation(
  ctx: Uses<'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, view } = request;
  const id = conversationIdOf(ctx, request);
  const { conversation } = await ctx.messaging.getConversation({ appId, userId, id });
  return { status: 200, body: conversationJson(view, conversation ?? failNotFound('conversation', id)) };
}
