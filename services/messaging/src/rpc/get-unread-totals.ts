import { NIL_UUID } from '@parley/kit/nil-uuid';
import type { GetUnreadTotalsRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { listUnread, listUnreadCandidates } from '../sql/reading/unread.ts';
import { unreadIn } from './get-unread-counts.ts';

/** Conversations that are counted at once. */
const PAGE = 1000;

/** Only conversations with something beyond what the user has read are looked into, a page at a time. */
export async function getUnreadTotals(
  ctx: Context,
  { appId, userId }: Pick<GetUnreadTotalsRequest, 'appId' | 'userId'>,
) {
  const totals = { unreadConversationCount: 0, unreadMessageCount: 0 };
  for (let after = NIL_UUID; ;) {
    const pairs = await listUnreadCandidates(ctx.db, { app_id: appId, user_id: userId, after, limit: PAGE });
    const rows = pairs.length > 0 ? await listUnread(ctx.db, pairs) : [];
    for (const row of rows) {
      const unread = unreadIn(row);
      totals.unreadMessageCount += unread;
      if (unread > 0) totals.unreadConversationCount += 1;
    }
    const last = pairs.at(-1);
    if (!last || pairs.length < PAGE) return totals;
    after = last.conversation_id;
  }
}
