import type { JsonObject } from '@bufbuild/protobuf';
import type { Role } from '@parley/contract/policy';
import type { Sql, Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { maskOf } from '@parley/domain/events';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { Context } from '../context.ts';
import { toConversation } from './record.ts';
import { addChange, writeChanges, type Change } from '../log/append.ts';
import { dropVersions } from '../sql/message/message-version.ts';
import { listBlockedSenders } from '../sql/identity/withheld-on-join.ts';
import { write } from '../sql/statement.ts';
import { placeNewcomers } from './history.ts';
import { withholdOnJoin } from './withhold-on-join.ts';
import { dropScheduled } from '../message/schedule/drop.ts';
import type { PatchPlan } from './patch-plan.ts';
import { forgetParticipations } from '../sql/conversation/erased-participation.ts';
import { getMetadata, updateConversationState } from '../sql/conversation/conversation-state.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { setRoles } from '../sql/policy/role.ts';
import {
  closeMemberships,
  listCurrentParticipants,
  type CurrentParticipantRow,
  openMemberships,
} from '../sql/conversation/membership.ts';

/** A locked conversation with the state that patches apply to. */
export type LoadedConversation = {
  conversation: ConversationRow;
  metadata: JsonObject;
  /** Participants by user id. */
  participants: ReadonlyMap<string, BasicIdentity>;
  /** Roles of participants who are no members, by user id. */
  roles: ReadonlyMap<string, Role>;
};

export async function loadLockedConversation(
  sql: Sql,
  conversation: ConversationRow,
): Promise<LoadedConversation> {
  const { app_id, id } = conversation;
  const [metadata, rows] = await Promise.all([
    getMetadata(sql, { appId: app_id, id }),
    listCurrentParticipants(sql, { appId: app_id, ids: [id] }),
  ]);
  return {
    conversation,
    metadata,
    participants: new Map(rows.map((row) => [row.user_id, basicIdentity(row)])),
    roles: rolesOf(rows),
  };
}

/** Roles by user id, without members. */
export function rolesOf(rows: readonly CurrentParticipantRow[]): Map<string, Role> {
  return new Map(rows.flatMap(({ user_id, role }) => (role === null ? [] : [[user_id, role]])));
}

export type AppliedPatch = {
  plan: PatchPlan;
  /** The identities of the users whom the plan adds. */
  added: BasicIdentity[];
  actor: BasicIdentity | undefined;
  /** Changes that precede this one. */
  before?: Change[];
  /** The last change that removed users may replay; default: this one. */
  leftSeq?: number;
};

/** Writes the effect of a patch with its event. */
export async function applyPlan(
  ctx: Context,
  tx: Tx,
  loaded: LoadedConversation,
  application: AppliedPatch,
): Promise<void> {
  const { conversation } = loaded;
  const { plan, added, actor, before = [], leftSeq } = application;
  const removed = new Set(plan.removed);
  const participants = [...loaded.participants.values(), ...added].filter(
    ({ userId }) => !removed.has(userId),
  );
  // What an erased person with the id of an added user left here is not theirs.
  if (plan.added.length > 0) await forgetParticipations(tx, conversation, plan.added);
  const shards = moveMembers(conversation, plan, participants);
  changeSettings(conversation, plan, { now: ctx.clock.now(), by: actor?.userId ?? null });
  const change = addChange(ctx, conversation, {
    actor,
    shards: shards.audienceShards,
    body: {
      case: 'conversationUpdated',
      value: {
        operations: plan.operations,
        added,
        removedUserIds: plan.removed,
        removed: plan.removed.flatMap((userId) => loaded.participants.get(userId) ?? []),
        distinctCleared: shards.distinctCleared,
        conversation: toConversation(
          conversation.app_id,
          { ...conversation, seq: conversation.seq + 1 },
          { participants, metadata: plan.metadata, roles: rolesAfter(loaded.roles, plan) },
        ),
      },
    },
  });
  await admit(tx, conversation, plan);
  await writeChanges(ctx, tx, {
    changes: [...before, change],
    statements: [
      updateConversationState(conversation, plan.metadata),
      closeMemberships(conversation, plan.removed, leftSeq),
      setRoles(conversation, plan.roles ?? []),
    ],
  });
  if (plan.removed.length > 0) await dropScheduled(ctx, tx, { conversation, senderIds: plan.removed });
}

function changeSettings(
  conversation: ConversationRow,
  { frozen, slowMode }: PatchPlan,
  { now, by }: { now: number; by: string | null },
): void {
  if (frozen !== undefined) {
    conversation.frozen_at = frozen ? now : null;
    conversation.frozen_by = frozen ? by : null;
  }
  if (slowMode !== undefined) conversation.slow_mode = slowMode === 0 ? null : slowMode;
}

function rolesAfter(
  before: ReadonlyMap<string, Role>,
  { removed, roles = [] }: PatchPlan,
): Map<string, Role> {
  const after = new Map(before);
  for (const userId of removed) after.delete(userId);
  for (const { userId, role } of roles) {
    if (role === null) after.delete(userId);
    else after.set(userId, role);
  }
  return after;
}

/** Lets users take part, with this change, and settles what they see of the time before it. */
async function admit(
  tx: Tx,
  conversation: ConversationRow,
  { added, withoutHistory }: PatchPlan,
): Promise<void> {
  if (added.length === 0) return;
  const unseeing = new Set(withoutHistory);
  // Blocks are read first, since a new membership overwrites how far the users saw messages before.
  const seeing = added.filter((userId) => !unseeing.has(userId));
  const blocked = await listBlockedSenders(tx, placeOf(conversation), seeing);
  await write(tx, [openMemberships(conversation, added, withoutHistory)]);
  await withholdOnJoin(tx, conversation, blocked);
  await placeNewcomers(tx, conversation, withoutHistory);
  await dropVersions(tx, { ...placeOf(conversation), position: null });
}

function placeOf({ app_id: appId, id: conversationId }: ConversationRow) {
  return { appId, conversationId };
}

// Users who are removed and users who are added both get the event.
function moveMembers(
  conversation: ConversationRow,
  { added, removed }: PatchPlan,
  participants: readonly BasicIdentity[],
): { audienceShards: string; distinctCleared: boolean } {
  const before = conversation.audience_shards;
  if (added.length + removed.length === 0) return { audienceShards: before, distinctCleared: false };
  const distinctCleared = conversation.is_distinct;
  conversation.members_seq = conversation.seq + 1;
  conversation.is_distinct = false;
  conversation.audience_shards = maskOf(participants.map(({ userId }) => userId));
  return { audienceShards: uniteMasks(before, conversation.audience_shards), distinctCleared };
}

function uniteMasks(one: string, other: string): string {
  return [...one].map((bit, index) => (bit === '1' || other[index] === '1' ? '1' : '0')).join('');
}
