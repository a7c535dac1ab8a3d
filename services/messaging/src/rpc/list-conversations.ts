import { isUuid } from '@parley/domain/ids';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import { failUnknownFromId } from '@parley/domain/problems';
import { unlessReadOnly, type Sql } from '@parley/kit/postgres';
import {
  ListConversationsRequest_Sort as Sort,
  type ListConversationsRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { failUnknownCursor, formatCursor, parseCursor } from '../conversation/list-cursor.ts';
import { loadFittingConversations } from '../conversation/view.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import {
  findAppPage,
  findUserPage,
  findUserPageByLastMessage,
  type ListPage,
  type PageByLastMessage,
} from '../sql/conversation/conversation-list.ts';
import { keepPageEnds } from '../sql/conversation/page-end.ts';
import { clampPageSize } from './page-size.ts';

const LARGEST_PAGE = 100;

/** Newest first. A server's list is always sorted by creation. Problem: invalid_property (from_id, cursor). */
export async function listConversations(ctx: Context, request: ListConversationsRequest) {
  const { fromId } = request;
  if (fromId && !isUuid(fromId)) return failUnknownFromId();
  if (request.ids.length > 0) return listRest(ctx, request);
  if (!request.userId || request.sort !== Sort.LAST_MESSAGE) return listByCreation(ctx, request);
  return listByLastMessage(ctx, request);
}

async function listRest(ctx: Context, request: ListConversationsRequest) {
  const ids = request.ids.filter(isUuid).slice(0, LARGEST_PAGE);
  const { conversations, rest } = await readSnapshot(ctx, (sql) =>
    load(sql, request, { ids, now: ctx.clock.now() }),
  );
  return { conversations, restIds: rest };
}

async function listByCreation(ctx: Context, request: ListConversationsRequest) {
  if (request.cursor) return failUnknownCursor();
  const { appId, userId, fromId } = request;
  const query = { appId, fromId: fromId || null, pageSize: clampPageSize(request.pageSize, LARGEST_PAGE) };
  return readSnapshot(ctx, async (sql) => {
    const page = await (userId ? findUserPage(sql, { ...query, userId }) : findAppPage(sql, query));
    if (!page.from_found) return failUnknownFromId();
    return toAnswer(await load(sql, request, { ids: page.ids, now: ctx.clock.now() }), page);
  });
}

async function listByLastMessage(ctx: Context, request: ListConversationsRequest) {
  const { appId, userId, cursor } = request;
  const now = ctx.clock.now();
  const { id: fromId, place } = cursor ? parseCursor(cursor) : { id: request.fromId || null, place: null };
  const pageSize = clampPageSize(request.pageSize, LARGEST_PAGE);
  const { page, found } = await readSnapshot(ctx, async (sql) => {
    const page = await findUserPageByLastMessage(sql, { appId, userId, fromId, place, pageSize, now });
    if (!page.from_found) return cursor ? failUnknownCursor() : failUnknownFromId();
    return { page, found: await load(sql, request, { ids: page.ids, now }) };
  });
  if (!page.is_kept) await unlessReadOnly(keepPageEnds(ctx.db, { appId, userId, ...page, now }), ctx.log);
  return { ...toAnswer(found, page), nextCursor: nextCursorOf(page) };
}

function nextCursorOf({ ids, places, has_more }: PageByLastMessage): string {
  const [id, place] = [ids.at(-1), places.at(-1)];
  return has_more && id !== undefined && place !== undefined ? formatCursor({ id, place }) : '';
}

type Loaded = Awaited<ReturnType<typeof load>>;

type Wanted = { ids: readonly string[]; now: number };

function load(sql: Sql, request: ListConversationsRequest, { ids, now }: Wanted) {
  const { appId, userId } = request;
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  return loadFittingConversations(sql, { appId, userId, now }, { ids: [...ids], budget });
}

function toAnswer({ conversations, rest }: Loaded, { total }: ListPage) {
  return { conversations, total, restIds: rest };
}
