import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type {
  RestoredMessage,
  RestoreMessagesRequest,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { newGaps, type Gaps } from '../transfer/import/gaps.ts';
import { restoreMessages as restore } from '../transfer/import/restore-messages.ts';

/** Each conversation in a transaction of its own, so that a failed call can be repeated. */
export async function restoreMessages(ctx: Context, { appId, messages }: RestoreMessagesRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  for (const { recipients } of messages) requireFewRecipients(ctx, recipients.length);
  const share: Share = (work) => ctx.shares.runHeavy(appId, work);
  await share(() => ctx.identities.find(appId, [...new Set(messages.flatMap(userIdsIn))]));
  const byConversation = Map.groupBy(messages, ({ message }) => message?.conversationId ?? '');
  let gaps = newGaps();
  for (const [id, restored] of byConversation) {
    if (!isUuid(id)) return failNotFound('conversation', id);
    const work = restoring(restored, gaps);
    gaps = await changeConversation(ctx, { appId, id }, { share, work });
  }
  return {};
}

/** Answers what is left of the gaps; they are taken once, however often a transaction is tried. */
function restoring(messages: readonly RestoredMessage[], gaps: Gaps) {
  return async (tx: Tx, conversation: ConversationRow | undefined): Promise<Gaps> => {
    const left = { ...gaps };
    await restore(tx, conversation, { messages, gaps: left });
    return left;
  };
}

/** All participants, and a sender who is none. */
function requireFewRecipients({ config: { maxParticipants } }: Context, count: number): void {
  if (count <= maxParticipants + 1) return;
  fail('invalid_property', {
    property: 'recipient_status',
    message: `recipient_status must name at most ${maxParticipants + 1} users.`,
  });
}

function userIdsIn({ message, recipients }: RestoredMessage): string[] {
  const people = recipients.map(({ userId }) => userId);
  return message?.sender ? [message.sender.userId, ...people] : people;
}
