import { fail, failNotFound } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { checkAllowed, failAbsent } from '../policy/load-standing.ts';
import type { RefusalProblem } from '../policy/refusal.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import type { MessageViewRow } from '../sql/message/message-view.ts';
import { isVisible } from './view.ts';

type Change = {
  /** Locked. */
  conversation: ConversationRow;
  message: MessageViewRow;
  userId: string;
  /** The problem of a refusal. */
  id: RefusalProblem;
};

/**
 * Whether a user may change their own message now (the action `edit_own`). Problems: not_found for a message that they do not see, `id`
 * otherwise.
 */
export async function requireOwnMessage(
  ctx: Context,
  sql: Sql,
  { conversation, message, userId, id }: Change,
): Promise<void> {
  if (!isVisible(message)) failNotFound('message', message.id);
  if (message.sender_id !== userId || message.is_of_erased) fail(id);
  const act = { conversation, userId, action: 'edit_own', id } as const;
  if (message.left_seq !== null) await failAbsent(ctx, sql, act);
  await checkAllowed(ctx, sql, act);
}
