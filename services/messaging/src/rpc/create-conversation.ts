import { Code, ConnectError } from '@connectrpc/connect';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  CreateConversationResponse_Outcome as Outcome,
  type CreateConversationRequest,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { toDraft, type ConversationDraft } from '../conversation/create/draft.ts';
import { insertDraft } from '../conversation/create/insert.ts';
import { answerFromExisting, type CreationAnswer } from '../conversation/create/existing.ts';
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
  const draft = toDraft(ctx, request);
  const share: Share = (work) => ctx.shares.run(draft.appId, work);
  let participants: BasicIdentity[] | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await answerFromExisting(ctx, share, draft);
    if (answer) return answer;
    participants ??= await share(() => findParticipants(ctx, draft));
    const created = { draft, participants };
    const conversation = await share(() => ctx.db.tx((tx) => insertDraft(ctx, tx, created)));
    if (conversation) return { outcome: Outcome.CREATED, conversation };
  }
  throw new ConnectError('the conversation was created and deleted repeatedly', Code.Aborted);
}

async function findParticipants(ctx: Context, draft: ConversationDraft): Promise<BasicIdentity[]> {
  const { appId, participantIds } = draft;
  const identities = await ctx.identities.find(appId, participantIds);
  const found = requireIdentities(participantIds, identities);
  requireUnblocked(participantIds, await findBlockers(ctx.db, draft, participantIds));
  return found.map(basicIdentity);
}
