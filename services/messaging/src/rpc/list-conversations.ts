import { isUuid } from '@parley/domain/ids';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import { failUnknownFromId } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import {
  ListConversationsRequest_Sort as Sort,
  type ListConversationsRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { loadFittingConversations } from '../conversation/view.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { findAppPage, findUserPage, type ListPage } from '../sql/conversation/conversation-list.ts';
import { clampPageSize } from './page-size.ts';

const LARGEST_PAGE = 100;

/** Newest first. A server's list is always sorted by creation. Problem: invalid_property (from_id). */
export async function listConversations(ctx: Context, request: ListConversationsRequest) {
  const { appId, userId, fromId } = request;
  if (fromId && !isUuid(fromId)) return failFromId();
  const viewer = { appId, userId };
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  return readSnapshot(ctx, async (sql) => {
    if (request.ids.length > 0) {
      const ids = request.ids.filter(isUuid).slice(0, LARGEST_PAGE);
      const { conversations, rest } = await loadFittingConversations(sql, viewer, { ids, budget });
      return { conversations, restIds: rest };
    }
    const page = await findPage(sql, request);
    if (!page.from_found) return failFromId();
    const { conversations, rest } = await loadFittingConversations(sql, viewer, { ids: page.ids, budget });
    return { conversations, total: page.total, restIds: rest };
  });
}

function findPage(
  sql: Sql,
  { appId, userId, sort, pageSize, fromId }: ListConversationsRequest,
): Promise<ListPage> {
  const query = {
    appId,
    fromId: fromId || null,
    pageSize: clampPageSize(pageSize, LARGEST_PAGE),
  };
  if (!userId) return findAppPage(sql, query);
  const by = sort === Sort.LAST_MESSAGE ? 'last_message_at' : 'created_at';
  return findUserPage(sql, { ...query, userId, by });
}

function failFromId(): never {
  return failUnknownFromId();
}
