import { Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { basicIdentity } from '../../identity/basic-identity.ts';
import type { Context } from '../../context.ts';
import { markTyping, type ScheduledRef, type ScheduledRow } from '../../sql/message/scheduled-message.ts';
import { publishTyping } from '../../live/typing.ts';

/** Shows the senders' typing indicators. Of several replicas only one publishes them. */
export async function startTyping(ctx: Context, refs: readonly ScheduledRef[]): Promise<void> {
  const rows = await ctx.db.tx((tx) => markTyping(tx, refs));
  for (const row of rows) publish(ctx, row, Typing_Action.STARTED);
}

/** Ends the typing indicators of the senders of messages that were sent or dropped. */
export function finishTyping(ctx: Context, rows: readonly ScheduledRow[]): void {
  for (const row of rows) if (row.is_typing) publish(ctx, row, Typing_Action.FINISHED);
}

function publish(ctx: Context, row: ScheduledRow, action: Typing_Action): void {
  publishTyping(ctx, {
    appId: row.app_id,
    conversationId: row.conversation_id,
    shards: row.audience_shards ?? '',
    sender: basicIdentity({ ...row, user_id: row.sender_id }),
    action,
    hiddenFrom: row.hidden_from,
    lastsMs: Math.max(0, row.due_at - ctx.clock.now()),
  });
}
