import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../../context.ts';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import { deleteScheduledOf } from '../../sql/identity/erasure.ts';
import type { IdentityRef } from '../../sql/identity/identity-copy.ts';
import { dropScheduledMessages } from '../../sql/message/scheduled-message.ts';
import { finishTyping } from './typing.ts';

/**
 * Drops scheduled messages of a locked conversation: all of them (`senderIds` null) when it is deleted, or those of
 * removed senders. docs/protocol/messages.md#scheduled-messages
 */
export async function dropScheduled(
  ctx: Context,
  tx: Tx,
  { conversation, senderIds }: { conversation: ConversationRow; senderIds: readonly string[] | null },
): Promise<void> {
  const { app_id, id } = conversation;
  const rows = await dropScheduledMessages(tx, { appId: app_id, conversationId: id, senderIds });
  if (rows.length > 0) tx.afterCommit(() => finishTyping(ctx, rows), 'same');
}

/** Drops at most `limit` messages that an erased user scheduled, and returns their number. */
export async function dropScheduledOfErased(
  ctx: Context,
  tx: Tx,
  user: IdentityRef & { version: number },
  limit: number,
): Promise<number> {
  const rows = await deleteScheduledOf(tx, user, limit);
  if (rows.length > 0) tx.afterCommit(() => finishTyping(ctx, rows), 'same');
  return rows.length;
}
