import { isUuid } from '@parley/domain/ids';
import { isMetadata, isMetadataWithinLimit } from '@parley/domain/metadata';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { UpdateConversationRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { History } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';
import type { Context } from '../context.ts';
import { applyPlan, loadLockedConversation, type LoadedConversation } from '../conversation/patch.ts';
import { requireExisting, requireParticipant } from '../conversation/access.ts';
import { showHistory } from '../conversation/history.ts';
import { keepCached, versionsOf } from '../message/cached/update-cache.ts';
import { actionOf, checkPatchAllowed, isOfMetadata, requireNotBanned } from '../policy/patch.ts';
import { failAbsent, toStanding } from '../policy/load-standing.ts';
import { withoutShadowed } from '../policy/shadowed-patch.ts';
import { isShadowed } from '../policy/standing.ts';
import { getStandingRow, type StandingRow } from '../sql/policy/standing.ts';
import { listUserIdsToAdd, planPatch, type Patchable, type PatchPlan } from '../conversation/patch-plan.ts';
import {
  failParticipants,
  failTooManyParticipants,
  findBlockers,
  requireIdentities,
  requireUnblocked,
  requireUnerased,
} from '../identity/required.ts';
import type { IdentityRow } from '../sql/identity/identity-copy.ts';
import type { ConversationRow, LockedConversation } from '../sql/conversation/conversation.ts';
import { forgetPassedChanges, listCrowded, MAX_MEMBERSHIPS } from '../sql/conversation/crowded-membership.ts';
import { listParticipants } from '../sql/conversation/membership.ts';
import { write } from '../sql/statement.ts';

type NamedIdentities = ReadonlyMap<string, IdentityRow>;

/** Applies a patch as a whole or not at all, under the conversation's lock. A patch without effect stores nothing. */
export async function updateConversation(ctx: Context, request: UpdateConversationRequest) {
  const { appId, id, operations } = request;
  if (!isUuid(id)) return failNotFound('conversation', id);
  const named = [...new Set(listUserIdsToAdd(operations))];
  if (named.length > ctx.config.maxParticipants) failTooManyParticipants(ctx.config.maxParticipants);
  const share: Share = (work) => ctx.shares.runHeavy(appId, work);
  const find = () => ctx.identities.find(appId, named);
  const identities: NamedIdentities = named.length > 0 ? await share(find) : new Map();
  const participantCount = await changeConversation(
    ctx,
    { appId, id },
    { share, work: (tx, conversation) => patch(ctx, tx, { request, conversation, identities }) },
  );
  return { participantCount };
}

type Patch = {
  request: UpdateConversationRequest;
  conversation: LockedConversation | undefined;
  identities: NamedIdentities;
};

/** The number of participants afterwards; 0 when the patch has no effect. */
async function patch(
  ctx: Context,
  tx: Tx,
  { request, conversation: locked, identities }: Patch,
): Promise<number> {
  const { appId, id, userId } = request;
  const conversation = requireExisting(locked, { id, userId });
  const before = versionsOf([conversation]);
  const [loaded, blockers] = await Promise.all([
    loadLockedConversation(tx, conversation),
    findBlockers(tx, { appId, userId }, [...identities.keys()]),
    requireSight(ctx, tx, { conversation, request }),
  ]);
  const row = await getStandingRow(tx, conversation, userId);
  const history = row.rules?.newcomer_history === 'none' ? History.NONE : History.ALL;
  let plan = planPatch(toPatchable(loaded), request.operations, history);
  if (plan.shown.length > 0 && userId)
    fail('access_denied', { message: 'Only servers show a user the history.' });
  if (plan.operations.length === 0) {
    await showHistory(ctx, tx, conversation, plan);
    return 0;
  }
  if (userId)
    checkPatchAllowed(loaded, plan, {
      userId,
      standing: toStanding(conversation, row),
      now: ctx.clock.now(),
    });
  checkLimits(loaded, plan, limitOf(ctx, row));
  await requireNotBanned(tx, conversation, { userIds: plan.added, now: ctx.clock.now() });
  const added = requireIdentities(plan.added, identities).map(basicIdentity);
  requireUnblocked(plan.added, blockers);
  await requireUnerased(tx, appId, added);
  await requireRoom(tx, conversation, plan.added);
  if (userId && isShadowed(toStanding(conversation, row), ctx.clock.now())) {
    plan = withoutShadowed(plan, { userId, metadata: loaded.metadata });
    if (plan.operations.length === 0) return 0;
    // Those whom the patch seems to remove go on to take part.
    checkLimits(loaded, plan, limitOf(ctx, row));
  }
  await applyPlan(ctx, tx, loaded, { plan, added, actor: loaded.participants.get(userId) });
  await showHistory(ctx, tx, conversation, plan);
  if (leavesSenders(plan))
    tx.afterCommit(
      () => keepCached(ctx.conversationCache, conversation, before),
      () => ctx.conversationCache.drop(appId, id),
    );
  return loaded.participants.size + plan.added.length - plan.removed.length;
}

function toPatchable({ conversation, participants, metadata, roles }: LoadedConversation): Patchable {
  return {
    participants: new Set(participants.keys()),
    metadata,
    roles,
    isFrozen: conversation.frozen_at !== null,
    slowMode: conversation.slow_mode ?? 0,
  };
}

/** Whether what is cached of senders stays true. */
function leavesSenders({ removed, shown, roles, frozen, slowMode }: PatchPlan): boolean {
  const isSameParticipants = removed.length === 0 && shown.length === 0 && !roles;
  return isSameParticipants && frozen === undefined && slowMode === undefined;
}

/** The most participants: the platform's limit, or a lower one of the type. */
function limitOf({ config }: Context, { rules }: StandingRow): number {
  return Math.min(config.maxParticipants, rules?.max_participants ?? Infinity);
}

// A user who hid the conversation does not find it until a message brings it back.
async function requireSight(
  ctx: Context,
  tx: Tx,
  { conversation, request }: { conversation: ConversationRow; request: UpdateConversationRequest },
): Promise<void> {
  const { userId, operations } = request;
  if (!userId) return;
  const { app_id, id, head } = conversation;
  const [own] = await listParticipants(tx, [{ appId: app_id, conversationId: id, userId }]);
  if (own && own.left_seq !== null)
    await failAbsent(ctx, tx, { conversation, userId, action: actionOf(operations[0]) });
  const { unlisted_at } = requireParticipant(own, id);
  if (unlisted_at !== null && unlisted_at >= head) failNotFound('conversation', id);
}

/** Problem: invalid_property (participants) for a user who was added and removed again and again. */
async function requireRoom(tx: Tx, conversation: ConversationRow, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const crowded = await listCrowded(tx, conversation, userIds);
  if (crowded.length === 0) return;
  await write(tx, [forgetPassedChanges(conversation, crowded)]);
  const [userId] = await listCrowded(tx, conversation, crowded);
  if (userId !== undefined)
    failParticipants(`The user ${userId} was added and removed ${MAX_MEMBERSHIPS} times.`);
}

function checkLimits(
  { participants }: LoadedConversation,
  { added, removed, metadata, operations }: PatchPlan,
  maxParticipants: number,
): void {
  const count = participants.size + added.length - removed.length;
  if (added.length > 0 && count > maxParticipants) failTooManyParticipants(maxParticipants);
  if (operations.some(isOfMetadata) && !(isMetadata(metadata) && isMetadataWithinLimit(metadata))) {
    fail('invalid_property', { property: 'metadata' });
  }
}
