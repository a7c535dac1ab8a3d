import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { maskOf } from '@parley/domain/events';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { Context } from '../context.ts';
import { applyPlan, loadLockedConversation } from './patch.ts';
import { toConversation } from './record.ts';
import { addChange, writeChanges, type Change } from '../log/append.ts';
import { planRemoval } from './patch-plan.ts';
import { dropScheduled } from '../message/schedule/drop.ts';
import { addConversationCount } from '../sql/conversation/conversation-count.ts';
import { updateConversationState } from '../sql/conversation/conversation-state.ts';
import { updateConversations, type ConversationRow } from '../sql/conversation/conversation.ts';
import { hideConversation } from '../sql/conversation/membership.ts';
import { participantRef, type ParticipantRow } from '../sql/conversation/participant.ts';
import { write } from '../sql/statement.ts';

/**
 * Deletes a locked conversation for all participants and returns their number; a repetition does nothing and returns 0.
 * Without a user id, a server deletes.
 */
export async function deleteConversationForAll(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  userId: string | undefined,
): Promise<number> {
  if (conversation.deleted_at !== null) return 0;
  const { participants, metadata, roles } = await loadLockedConversation(tx, conversation);
  const record = toConversation(
    conversation.app_id,
    { ...conversation, seq: conversation.seq + 1 },
    { participants: [...participants.values()], metadata, roles },
  );
  const change = addChange(ctx, conversation, {
    actor: userId === undefined ? undefined : participants.get(userId),
    body: { case: 'conversationDeleted', value: { conversation: record } },
  });
  conversation.deleted_at = conversation.changed_at;
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      updateConversationState(conversation, metadata),
      addConversationCount(conversation.app_id, -1),
    ],
  });
  await dropScheduled(ctx, tx, { conversation, senderIds: null });
  return participants.size;
}

export type ConversationHiding = { conversation: ConversationRow; own: ParticipantRow; leave: boolean };

/**
 * Hides a locked conversation, as it is now, from one of its users, who may also leave it. The user gets an event that
 * it is hidden, the other participants get an event that the user left. A conversation that is hidden already stays
 * unchanged. Returns the number of participants before the user left; 0 when the user stays.
 */
export async function hideConversationFromUser(
  ctx: Context,
  tx: Tx,
  { conversation, own, leave }: ConversationHiding,
): Promise<number> {
  const leaves = leave && own.left_seq === null;
  const until = own.left_head ?? conversation.head;
  const isHidden = own.unlisted_at !== null && own.unlisted_at >= until;
  if (isHidden && !leaves) return 0;
  const loaded = leaves ? await loadLockedConversation(tx, conversation) : undefined;
  const actor = loaded?.participants.get(own.user_id) ?? basicIdentity(own);
  const hidden = addHidden(ctx, { conversation, own, until, leaves, actor });
  await write(tx, [hideConversation(participantRef(own), { until, seq: hidden.event.seq })]);
  if (loaded) {
    const plan = planRemoval(loaded.metadata, own.user_id);
    const leftSeq = hidden.event.seq;
    await applyPlan(ctx, tx, loaded, { plan, added: [], actor, before: [hidden], leftSeq });
    return loaded.participants.size;
  }
  await writeChanges(ctx, tx, { changes: [hidden], statements: [updateConversations([conversation])] });
  return 0;
}

type HiddenChange = Omit<ConversationHiding, 'leave'> & {
  until: number;
  leaves: boolean;
  actor: BasicIdentity;
};

function addHidden(ctx: Context, { conversation, own, until, leaves, actor }: HiddenChange): Change {
  const userId = own.user_id;
  return addChange(ctx, conversation, {
    actor,
    onlyUserIds: [userId],
    shards: maskOf([userId]),
    body: { case: 'conversationHidden', value: { userId, fromPosition: until, left: leaves } },
  });
}
