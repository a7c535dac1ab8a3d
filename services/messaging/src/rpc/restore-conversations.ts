import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { RestoreConversationsRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { failTooManyParticipants } from '../identity/required.ts';
import { restoreConversation } from '../transfer/import/restore-conversation.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';

/** Each conversation in a transaction of its own, so that a failed call can be repeated. */
export async function restoreConversations(ctx: Context, request: RestoreConversationsRequest) {
  const { appId, conversations } = request;
  if (!isUuid(appId)) return failNotFound('app', appId);
  const most = ctx.config.maxParticipants;
  for (const { participants } of conversations) if (participants.length > most) failTooManyParticipants(most);
  const people = new Set(
    conversations.flatMap(({ participants }) => participants.map(({ userId }) => userId)),
  );
  const share: Share = (work) => ctx.shares.runHeavy(appId, work);
  await share(() => ctx.identities.find(appId, [...people]));
  for (const conversation of conversations) {
    const ref = { appId, id: conversation.id };
    const work = (tx: Tx, known?: ConversationRow) => restoreConversation(tx, { appId, conversation, known });
    await changeConversation(ctx, ref, { share, work });
  }
  return {};
}
