import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type {
  RestoredMessage,
  RestoreMessagesRequest,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { restoreMessages as restore } from '../transfer/import/restore-messages.ts';

/** Each conversation in a transaction of its own, so that a failed call can be repeated. */
export async function restoreMessages(ctx: Context, { appId, messages }: RestoreMessagesRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  const share: Share = (work) => ctx.shares.runHeavy(appId, work);
  await share(() => ctx.identities.find(appId, [...new Set(messages.flatMap(userIdsIn))]));
  const byConversation = Map.groupBy(messages, ({ message }) => message?.conversationId ?? '');
  for (const [id, restored] of byConversation) {
    if (!isUuid(id)) return failNotFound('conversation', id);
    const ref = { appId, id };
    await changeConversation(ctx, ref, {
      share,
      work: (tx, conversation) => restore(tx, conversation, restored),
    });
  }
  return {};
}

function userIdsIn({ message, recipients }: RestoredMessage): string[] {
  const people = recipients.map(({ userId }) => userId);
  return message?.sender ? [message.sender.userId, ...people] : people;
}
