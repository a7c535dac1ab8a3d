import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ListConversationEventsRequest } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Context } from '../context.ts';
import { hydrate } from '../replay/hydrate.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { listChanges } from '../sql/log/change-list.ts';

const LARGEST_PAGE = 500;

/**
 * Events from `first_seq` on, without a gap. A deleted event has a number but no body. When numbers are missing at the
 * end, the caller asks for the rest.
 */
export async function listConversationEvents(ctx: Context, request: ListConversationEventsRequest) {
  const { appId, conversationId, firstSeq, lastSeq } = request;
  if (!isUuid(conversationId)) return failNotFound('conversation', conversationId);
  const query = {
    appId,
    conversationId,
    first: firstSeq,
    last: lastSeq || Number.MAX_SAFE_INTEGER,
    limit: LARGEST_PAGE,
  };
  return readSnapshot(ctx, async (sql) => {
    const rows = await listChanges(sql, query);
    return { events: await hydrate(sql, { appId, userId: '', now: ctx.clock.now() }, rows) };
  });
}
