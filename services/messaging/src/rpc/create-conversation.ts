import type { Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { Code, ConnectError } from '@connectrpc/connect';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  CreateConversationResponse_Outcome as Outcome,
  type CreateConversationRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { distinctKey } from '../conversation/create/distinct-key.ts';
import { toDraft, type ConversationDraft, type KeyedDraft } from '../conversation/create/draft.ts';
import { insertDraft, type CreatedConversation } from '../conversation/create/insert.ts';
import { answerFromExisting, type CreationAnswer } from '../conversation/create/existing.ts';
import { loadConversation } from '../conversation/view.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { listReturned } from '../sql/identity/identity-copy.ts';
import { findBlockers, requireIdentities, requireUnblocked } from '../identity/required.ts';

/**
 * Other callers may create and delete the same distinct conversation in the meantime, but not by chance so often in a
 * row.
 */
const MAX_ATTEMPTS = 20;

/** Creates at most one distinct conversation for a set of participants, however many callers ask at once. */
export async function createConversation(
  ctx: Context,
  request: CreateConversationRequest,
): Promise<CreationAnswer> {
  const unkeyed = toDraft(ctx, request);
  const share: Share = (work) => ctx.shares.run(unkeyed.appId, work);
  const draft = await share(() => withKey(ctx, unkeyed));
  let participants: BasicIdentity[] | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await answerFromExisting(ctx, share, draft);
    if (answer) return answer;
    participants ??= await share(() => findParticipants(ctx, draft));
    const created = { draft, participants };
    const stored = await share(() => ctx.db.tx((tx) => insertDraft(ctx, tx, created)));
    if (stored)
      return { outcome: Outcome.CREATED, conversation: await share(() => inView(ctx, draft, stored)) };
  }
  throw new ConnectError('the conversation was created and deleted repeatedly', Code.Aborted);
}

/** The new conversation as its creator sees it, also what they may do if the type says so. */
async function inView(
  ctx: Context,
  { appId, userId }: ConversationDraft,
  { conversation, hasPolicy }: CreatedConversation,
): Promise<Conversation> {
  if (!userId || !hasPolicy) return conversation;
  const viewer = { appId, userId, now: ctx.clock.now() };
  const found = await readSnapshot(ctx, (sql) => loadConversation(sql, viewer, conversation.id));
  return found ?? conversation;
}

async function withKey({ db }: Context, draft: ConversationDraft): Promise<KeyedDraft> {
  if (!draft.isDistinct) return { ...draft, distinctKey: null };
  const { appId, participantIds } = draft;
  return {
    ...draft,
    distinctKey: distinctKey(participantIds, await listReturned(db, appId, participantIds), draft.type),
  };
}

async function findParticipants(ctx: Context, draft: ConversationDraft): Promise<BasicIdentity[]> {
  const { appId, participantIds } = draft;
  const identities = await ctx.identities.find(appId, participantIds);
  const found = requireIdentities(participantIds, identities);
  requireUnblocked(participantIds, await findBlockers(ctx.db, draft, participantIds));
  return found.map(basicIdentity);
}
