import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { listMessagePlaces } from '../sql/message/message.ts';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';

type Target = {
  appId: string;
  messageId: string;
  /** Empty: any conversation. */
  conversationId: string;
};

/** Changes one message under the lock of its conversation. Problem: not_found. */
export async function changeMessage<T>(
  ctx: Context,
  { appId, messageId, conversationId }: Target,
  work: (tx: Tx, conversation: ConversationRow | undefined) => Promise<T>,
): Promise<T> {
  if (!isUuid(messageId)) return failNotFound('message', messageId);
  const share: Share = (run) => ctx.shares.run(appId, run);
  const [place] = await share(() => listMessagePlaces(ctx.db, [{ appId, id: messageId }]));
  if (!place || (conversationId && place.conversation_id !== conversationId))
    return failNotFound('message', messageId);
  return changeConversation(ctx, { appId, id: place.conversation_id }, { share, work });
}
