import { maskOf } from '@parley/domain/events';
import { metadataEquals } from '@parley/domain/metadata';
import type { Tx } from '@parley/kit/postgres';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { CreateConversationResponse_Outcome as Outcome } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { changeConversation, type Share } from '../../transaction/change-conversation.ts';
import type { Context } from '../../context.ts';
import { basicIdentity } from '../../identity/basic-identity.ts';
import { addChange, writeChanges } from '../../log/append.ts';
import { loadConversation } from '../view.ts';
import { readSnapshot } from '../../transaction/snapshot.ts';
import {
  listExistingConversations,
  type ExistingConversationRow,
} from '../../sql/conversation/conversation-creation.ts';
import { findConversationStatus } from '../../sql/conversation/conversation-view.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { listParticipants, relistConversation } from '../../sql/conversation/membership.ts';
import type { KeyedDraft } from './draft.ts';

export type CreationAnswer = { outcome: Outcome; conversation?: Conversation };

/**
 * The answer when a conversation with the id, or with the same participants, exists. Undefined: there is none, or it
 * was deleted in the meantime.
 */
export async function answerFromExisting(
  ctx: Context,
  share: Share,
  draft: KeyedDraft,
): Promise<CreationAnswer | undefined> {
  const { appId, id, userId, distinctKey } = draft;
  const query = { appId, id, distinctKey };
  const [existing] = await share(() => listExistingConversations(ctx.db, query));
  if (!existing) return undefined;
  const outcome = outcomeOf(draft, existing);
  if (outcome === Outcome.ID_IN_USE)
    return { outcome, ...(await share(() => findVisible(ctx, draft, existing))) };
  await relist(ctx, share, { draft, existing });
  const viewer = { appId, userId, now: ctx.clock.now() };
  const conversation = await share(() =>
    readSnapshot(ctx, (sql) => loadConversation(sql, viewer, existing.id)),
  );
  return conversation && { outcome, conversation };
}

function outcomeOf(draft: KeyedDraft, existing: ExistingConversationRow): Outcome {
  if (isRepeatedRequest(draft, existing)) return Outcome.CREATED;
  if (existing.id === draft.id) return Outcome.ID_IN_USE;
  const fits = draft.metadata === undefined || metadataEquals(draft.metadata, existing.metadata);
  return fits ? Outcome.EXISTING : Outcome.CONFLICT;
}

// The caller repeats a request whose answer it did not receive.
function isRepeatedRequest(draft: KeyedDraft, existing: ExistingConversationRow): boolean {
  if (existing.deleted || draft.requestId === null) return false;
  return existing.request_id === draft.requestId && existing.created_by === (draft.userId || null);
}

async function findVisible(
  ctx: Context,
  { appId, userId }: KeyedDraft,
  { id }: ExistingConversationRow,
): Promise<{ conversation?: Conversation }> {
  return readSnapshot(ctx, async (sql) => {
    const status = await findConversationStatus(sql, { appId, id, userId });
    if (!status || (userId && !status.listed)) return {};
    const conversation = await loadConversation(sql, { appId, userId, now: ctx.clock.now() }, id);
    return conversation ? { conversation } : {};
  });
}

// A user who asks for a distinct conversation that they had hidden gets it back into their list, without the hidden
// messages.
async function relist(
  ctx: Context,
  share: Share,
  { draft: { appId, userId }, existing: { id } }: { draft: KeyedDraft; existing: ExistingConversationRow },
): Promise<void> {
  if (!userId) return;
  const status = await share(() => findConversationStatus(ctx.db, { appId, id, userId }));
  if (!status || status.listed || status.deleted) return;
  const ref = { appId, id };
  await changeConversation(ctx, ref, {
    share,
    async work(tx, conversation) {
      if (!conversation?.is_distinct || conversation.deleted_at !== null) return;
      await relistLocked(ctx, tx, conversation, userId);
    },
  });
}

/** The user's devices get the conversation again. */
async function relistLocked(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  userId: string,
): Promise<void> {
  const ref = { appId: conversation.app_id, conversationId: conversation.id, userId };
  const [own] = await listParticipants(tx, [ref]);
  if (!own || own.left_seq !== null || own.unlisted_at === null) return;
  // A message has brought it back meanwhile.
  if (own.unlisted_at < conversation.head) return;
  const change = addChange(ctx, conversation, {
    actor: basicIdentity(own),
    onlyUserIds: [userId],
    shards: maskOf([userId]),
    body: { case: 'conversationRelisted', value: { userId } },
  });
  const statements = [relistConversation(ref), updateConversations([conversation])];
  await writeChanges(ctx, tx, { changes: [change], statements });
}
