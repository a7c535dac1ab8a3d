import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { deleteForAll } from '../message-deletion.ts';
import { lockConversations, type ConversationRow } from '../sql/conversation.ts';
import {
  deleteErasure,
  emptyMessages,
  eraseReceipts,
  findNextConversation,
  listUnerasedMessages,
  moveErasure,
  takeErasure,
  type ErasureRow,
} from '../sql/erasure.ts';
import { findMessage } from '../sql/message.ts';

/** Messages that one transaction deletes, so that nobody waits long for their conversation. */
const BATCH = 50;

/** Empties the messages of erased users, as if a server deleted them, and forgets their receipts: step by step, so that a crash only repeats a step. */
export async function eraseUsers(ctx: Context): Promise<void> {
  while (await ctx.db.tx((tx) => eraseStep(ctx, tx)));
}

/** False: nobody is left to be erased. */
async function eraseStep(ctx: Context, tx: Tx): Promise<boolean> {
  const erasure = await takeErasure(tx);
  if (!erasure) return false;
  const conversationId = await findNextConversation(tx, erasure);
  if (conversationId === undefined) {
    await deleteErasure(tx, erasure);
    return true;
  }
  const [conversation] = await lockConversations(tx, [{ app_id: erasure.app_id, id: conversationId }]);
  const isDone = !conversation || (await eraseIn(ctx, tx, erasure, conversation));
  if (isDone) await moveErasure(tx, erasure, conversationId);
  return true;
}

/** Whether nothing of the user is left in the conversation, which is locked. */
async function eraseIn(
  ctx: Context,
  tx: Tx,
  { app_id, user_id }: ErasureRow,
  conversation: ConversationRow,
): Promise<boolean> {
  const place = { app_id, conversation_id: conversation.id };
  if (conversation.deleted_at !== null) {
    await emptyMessages(tx, { ...place, sender_id: user_id });
  } else {
    const refs = await listUnerasedMessages(tx, { ...place, sender_id: user_id, limit: BATCH });
    for (const ref of refs) {
      const message = await findMessage(tx, ref);
      if (message) await deleteForAll(ctx, tx, { conversation, message });
    }
    if (refs.length === BATCH) return false;
  }
  await eraseReceipts(tx, { ...place, user_id });
  return true;
}
