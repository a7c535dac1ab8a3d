import { failNotFound } from '@parley/domain/problems';
import { isUuid } from '@parley/domain/ids';
import type { GetConversationRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { failDeleted } from '../conversation/access.ts';
import { loadConversation } from '../conversation/view.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { findConversationStatus } from '../sql/conversation/conversation-view.ts';

/** A user does not find a conversation that is not in their list. Problems: not_found; object_deleted for a server. */
export async function getConversation(ctx: Context, { appId, id, userId }: GetConversationRequest) {
  if (!isUuid(id)) return failNotFound('conversation', id);
  return readSnapshot(ctx, async (sql) => {
    const status = await findConversationStatus(sql, { appId, id, userId });
    if (!status || (userId && !status.listed)) return failNotFound('conversation', id);
    if (status.deleted) return failDeleted(id, userId);
    return { conversation: await loadConversation(sql, { appId, userId, now: ctx.clock.now() }, id) };
  });
}
