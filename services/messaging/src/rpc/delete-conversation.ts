import { checkAllowed, failAbsent } from '../policy/load-standing.ts';
import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import {
  DeletionMode,
  type DeleteConversationRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { deleteConversationForAll, hideConversationFromUser } from '../conversation/delete.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { listParticipants } from '../sql/conversation/membership.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';

/**
 * A server always deletes for all participants. A repetition succeeds. Problems: not_found; access_denied for a removed
 * user who deletes for all participants.
 */
export async function deleteConversation(ctx: Context, request: DeleteConversationRequest) {
  const { appId, id, userId } = request;
  if (!isUuid(id)) return failNotFound('conversation', id);
  const share: Share = (work) => ctx.shares.runHeavy(appId, work);
  const ref = { appId, id };
  const participantCount = await changeConversation(ctx, ref, {
    share,
    async work(tx, conversation) {
      if (!conversation) return failNotFound('conversation', id);
      if (!userId) return deleteConversationForAll(ctx, tx, conversation, undefined);
      return deleteAsUser(ctx, tx, { request, conversation });
    },
  });
  return { participantCount };
}

async function deleteAsUser(
  ctx: Context,
  tx: Tx,
  { request, conversation }: { request: DeleteConversationRequest; conversation: ConversationRow },
): Promise<number> {
  const own = await findOwn(tx, conversation, request.userId);
  if (!own) return failNotFound('conversation', conversation.id);
  if (conversation.deleted_at !== null) return 0;
  if (request.mode !== DeletionMode.ALL_PARTICIPANTS) {
    return hideConversationFromUser(ctx, tx, { conversation, own, leave: request.leave });
  }
  const act = { conversation, userId: request.userId, action: 'delete_conversation' } as const;
  if (own.left_seq !== null) await failAbsent(ctx, tx, act);
  await checkAllowed(ctx, tx, act);
  return deleteConversationForAll(ctx, tx, conversation, request.userId);
}

async function findOwn(
  tx: Tx,
  { app_id, id }: ConversationRow,
  userId: string,
): Promise<ParticipantRow | undefined> {
  const [row] = await listParticipants(tx, [{ appId: app_id, conversationId: id, userId }]);
  return row;
}
