import { metadataEquals } from '@parley/domain/metadata';
import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { CreateConversationResponse_Outcome as Outcome } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { changeConversation, type Share } from '../../transaction/change-conversation.ts';
import type { Context } from '../../context.ts';
import { loadConversation } from '../view.ts';
import { readTogether } from '../../transaction/snapshot.ts';
import { listRivals, type RivalRow } from '../../sql/conversation/conversation-creation.ts';
import { findPresence } from '../../sql/conversation/conversation-view.ts';
import { relistConversation } from '../../sql/conversation/membership.ts';
import type { Draft } from './draft.ts';

export type Answer = { outcome: Outcome; conversation?: Conversation };

/**
 * What to answer when there is a conversation with the id, or of the same people; undefined: there is none, or it went
 * while it was looked at.
 */
export async function answerFromRival(ctx: Context, share: Share, draft: Draft): Promise<Answer | undefined> {
  const { appId, id, userId, distinctKey } = draft;
  const query = { app_id: appId, id, distinct_key: distinctKey };
  const [rival] = await share(() => listRivals(ctx.db, query));
  if (!rival) return undefined;
  const outcome = outcomeOf(draft, rival);
  if (outcome === Outcome.ID_IN_USE)
    return { outcome, ...(await share(() => findVisible(ctx, draft, rival))) };
  await relist(ctx, share, { draft, rival });
  const viewer = { appId, userId };
  const conversation = await share(() => readTogether(ctx, (sql) => loadConversation(sql, viewer, rival.id)));
  return conversation && { outcome, conversation };
}

function outcomeOf(draft: Draft, rival: RivalRow): Outcome {
  if (isOwn(draft, rival)) return Outcome.CREATED;
  if (rival.id === draft.id) return Outcome.ID_IN_USE;
  const fits = draft.metadata === undefined || metadataEquals(draft.metadata, rival.metadata);
  return fits ? Outcome.EXISTING : Outcome.CONFLICT;
}

// A repeated attempt of a call whose outcome the caller did not learn.
function isOwn(draft: Draft, rival: RivalRow): boolean {
  if (rival.deleted || draft.requestId === null) return false;
  return rival.request_id === draft.requestId && rival.created_by === (draft.userId || null);
}

async function findVisible(
  ctx: Context,
  { appId, userId }: Draft,
  { id }: RivalRow,
): Promise<{ conversation?: Conversation }> {
  return readTogether(ctx, async (sql) => {
    const presence = await findPresence(sql, { app_id: appId, id, user_id: userId });
    if (!presence || (userId && !presence.listed)) return {};
    const conversation = await loadConversation(sql, { appId, userId }, id);
    return conversation ? { conversation } : {};
  });
}

// Whoever asks for a distinct conversation that they had hidden has it in their list again, without what was hidden.
async function relist(
  ctx: Context,
  share: Share,
  { draft: { appId, userId }, rival: { id } }: { draft: Draft; rival: RivalRow },
): Promise<void> {
  if (!userId) return;
  const presence = await share(() => findPresence(ctx.db, { app_id: appId, id, user_id: userId }));
  if (!presence || presence.listed || presence.deleted) return;
  const ref = { app_id: appId, id };
  await changeConversation(ctx, ref, {
    share,
    async work(tx, conversation) {
      if (!conversation?.is_distinct) return;
      await relistConversation(tx, { app_id: appId, conversation_id: id, user_id: userId });
    },
  });
}
