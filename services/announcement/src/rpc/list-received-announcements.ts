import { failUnknownFromId } from '@parley/domain/problems';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import type {
  ListReceivedAnnouncementsRequest,
  ListReceivedAnnouncementsResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import { viewReceived } from '../announcement/view.ts';
import { countListed, findPosition, listReceivedBefore, type Recipient } from '../sql/received.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

const MAX_PAGE_SIZE = 100;

/** `from_id` may name an announcement that the user has deleted. Problems: invalid_property (from_id). */
export async function listReceivedAnnouncements(
  ctx: Context,
  request: ListReceivedAnnouncementsRequest,
): RpcResponse<typeof ListReceivedAnnouncementsResponseSchema> {
  const { appId, userId, fromId, pageSize } = request;
  const recipient = { appId, userId };
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  const before = await positionOf(ctx, recipient, fromId);
  const limit = Math.min(Math.max(1, Math.trunc(pageSize) || MAX_PAGE_SIZE), MAX_PAGE_SIZE);
  const [rows, total] = await Promise.all([
    listReceivedBefore(ctx.db, { ...recipient, before, limit, budget }),
    countListed(ctx.db, recipient),
  ]);
  const hasMore = rows.length < (rows[0]?.found ?? 0);
  return { received: await viewReceived(ctx, appId, rows), total, hasMore };
}

async function positionOf(ctx: Context, recipient: Recipient, fromId: string): Promise<number> {
  if (fromId === '') return Number.MAX_SAFE_INTEGER;
  return (await findPosition(ctx.db, recipient, fromId)) ?? failUnknownFromId();
}
