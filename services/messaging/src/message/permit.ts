import { fail, failNotFound } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { failAbsent, loadStanding } from '../policy/load-standing.ts';
import type { RefusalProblem } from '../policy/refusal.ts';
import { isShadowed, requireAllowed, type Standing } from '../policy/standing.ts';
import { requireWithin } from '../policy/window.ts';
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
 * Checks that a user may edit the parts of a message now: their own (`edit_own`, within the window of the type), or that of another user
 * (`edit_any`). Problems: not_found for a message that they do not see, `id` otherwise; without a reason where the type gives `edit_any` to
 * nobody.
 */
export async function requireEditable(ctx: Context, sql: Sql, change: Change): Promise<Effect> {
  const { conversation, message, userId, id } = change;
  if (!isVisible(message)) failNotFound('message', message.id);
  const isOwn = message.sender_id === userId && !message.is_of_erased;
  const standing = await loadStanding(sql, conversation, userId);
  if (!isOwn && (standing.rules.actions?.edit_any ?? []).length === 0) fail(id);
  const action = isOwn ? 'edit_own' : 'edit_any';
  if (message.left_seq !== null) await failAbsent(ctx, sql, { conversation, userId, action, id });
  const now = ctx.clock.now();
  requireAllowed(standing, action, now, id);
  if (isOwn) requireWithin('edit_window', standing, { sentAt: message.sent_at, now, id });
  return effectOf(standing, message, now);
}

/**
 * Whether a user may change their own message now (the action `edit_own`). Problems: not_found for a message that they do not see, `id`
 * otherwise.
 */
export async function requireOwnMessage(
  ctx: Context,
  sql: Sql,
  { conversation, message, userId, id }: Change,
): Promise<Effect> {
  if (!isVisible(message)) failNotFound('message', message.id);
  if (message.sender_id !== userId || message.is_of_erased) fail(id);
  const act = { conversation, userId, action: 'edit_own', id } as const;
  if (message.left_seq !== null) await failAbsent(ctx, sql, act);
  const standing = await loadStanding(sql, conversation, userId);
  requireAllowed(standing, 'edit_own', ctx.clock.now(), id);
  return effectOf(standing, message, ctx.clock.now());
}

/** Whether an allowed change is stored. One under a shadow restriction to a message that others see is only answered. */
export type Effect = 'stored' | 'none';

function effectOf(standing: Standing, { shadowed }: MessageViewRow, now: number): Effect {
  return isShadowed(standing, now) && !shadowed ? 'none' : 'stored';
}
