import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { planRemoval } from '../conversation/patch-plan.ts';
import { applyPlan, loadLockedConversation } from '../conversation/patch.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import {
  findErasedParticipation,
  forgetParticipations,
  type ErasedParticipation,
} from '../sql/conversation/erased-participation.ts';
import { resetReceipts } from '../sql/read-state/receipt-reset.ts';
import { basicIdentity } from './basic-identity.ts';

/**
 * Takes an erased person out of a locked conversation: the others get the removal, as of a user who leaves, and nothing of the
 * person stays in it. A person who has the user id now and takes part keeps their participation.
 */
export async function endParticipation(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  { userId, version }: { userId: string; version: number },
): Promise<void> {
  const { app_id: appId, id: conversationId } = conversation;
  const erased = await findErasedParticipation(tx, conversation, userId);
  if (erased) {
    if (erased.is_present && conversation.deleted_at === null)
      await removeErased(ctx, tx, conversation, erased);
    return forgetParticipations(tx, conversation, [userId]);
  }
  // An erasure of the release before, which left the participation to the next person.
  await resetReceipts(tx, [{ appId, conversationId, userId, incarnation: version }]);
}

async function removeErased(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  { user_id, incarnation }: ErasedParticipation,
): Promise<void> {
  const loaded = await loadLockedConversation(tx, conversation);
  const participants = new Map(loaded.participants).set(user_id, basicIdentity({ user_id, incarnation }));
  const plan = planRemoval(loaded.metadata, user_id);
  await applyPlan(ctx, tx, { ...loaded, participants }, { plan, added: [], actor: undefined });
}
