import type { Action } from '@parley/contract/policy';
import { compareRoles } from '@parley/domain/policy';
import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { LoadedConversation } from '../conversation/patch.ts';
import type { PatchPlan } from '../conversation/patch-plan.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { listBanned } from '../sql/policy/restriction.ts';
import { failRefused, lackOfRole } from './refusal.ts';
import { requireAllowed, type Standing } from './standing.ts';

type Patcher = { userId: string; standing: Standing; now: number };

/** Checks that a user may change what the plan changes. Leaving needs no permission. Problem: access_denied. */
export function checkPatchAllowed(
  { roles }: Pick<LoadedConversation, 'roles'>,
  plan: PatchPlan,
  { userId, standing, now }: Patcher,
): void {
  const others = plan.removed.filter((removed) => removed !== userId);
  if (plan.added.length > 0) requireAllowed(standing, 'add_participants', now);
  if (others.length > 0) requireAllowed(standing, 'remove_participants', now);
  if (plan.operations.some(isOfMetadata)) requireAllowed(standing, 'patch_metadata', now);
  if (plan.frozen !== undefined) requireAllowed(standing, 'freeze', now);
  if (plan.slowMode !== undefined) requireAllowed(standing, 'restrict', now);
  const outranking = others.find((other) => compareRoles(roles.get(other), standing.role) > 0);
  if (outranking !== undefined) failRefused(lackOfRole('remove_participants'));
  if (!plan.roles) return;
  requireAllowed(standing, 'set_roles', now);
  for (const { userId: changed, role } of plan.roles) {
    const isAbove =
      compareRoles(roles.get(changed), standing.role) > 0 || compareRoles(role, standing.role) > 0;
    if (isAbove) failRefused(lackOfRole('set_roles'));
  }
}

/** Problem: invalid_property (participants) for a user whom the conversation bans. */
export async function requireNotBanned(
  tx: Tx,
  conversation: ConversationRow,
  added: { userIds: readonly string[]; now: number },
): Promise<void> {
  if (added.userIds.length === 0 || !hasSideTable(conversation, 'restrictions')) return;
  const [banned] = await listBanned(tx, conversation, added);
  if (banned === undefined) return;
  fail('invalid_property', {
    property: 'participants',
    message: `The user ${banned} is banned from the conversation.`,
    data: { reason: 'banned' },
  });
}

/** The action that a step needs. */
export function actionOf(operation: PatchOperation | undefined): Action {
  switch (operation?.step.case) {
    case 'addParticipant':
    case 'setParticipants':
      return 'add_participants';
    case 'removeParticipant':
      return 'remove_participants';
    case 'setRole':
      return 'set_roles';
    case 'setFrozen':
      return 'freeze';
    case 'setSlowMode':
      return 'restrict';
    default:
      return 'patch_metadata';
  }
}

export function isOfMetadata({ step }: PatchOperation): boolean {
  return step.case === 'setMetadata' || step.case === 'deleteMetadata';
}
