import type { JsonObject } from '@bufbuild/protobuf';
import { DEFAULT_ROLE, isRole, type Role } from '@parley/contract/policy';
import { create } from '@parley/codec';
import { fail } from '@parley/domain/problems';
import { applyStep, closeCopy, openCopy } from '@parley/domain/metadata/patch';
import {
  History,
  ParticipantRoleSchema,
  PatchOperationSchema,
  type PatchOperation,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { RoleChange } from '../sql/policy/role.ts';
import { netSteps } from './net-steps.ts';

/** The state that a patch applies to. */
export type Patchable = {
  participants: ReadonlySet<string>;
  metadata: JsonObject;
  /** Roles of participants who are no members, by user id. Default: all are members. */
  roles?: ReadonlyMap<string, Role>;
  isFrozen?: boolean;
  /** Seconds; 0 by default. */
  slowMode?: number;
};

/** The effect of a patch; without operations it has none. */
export type PatchPlan = {
  metadata: JsonObject;
  added: string[];
  removed: string[];
  /** Those of the added users who do not see what was before. */
  withoutHistory: string[];
  /** Users who are shown the whole history; some may see it already. */
  shown: string[];
  /** Changed roles; absent: none. */
  roles?: RoleChange[];
  /** Whether the patch freezes the conversation, or ends that; absent: neither. */
  frozen?: boolean;
  /** The changed slow mode. Seconds. */
  slowMode?: number;
  /** The net change: steps of metadata that have the same effect, and each participant at most once. */
  operations: PatchOperation[];
};

/**
 * Applies the operations in order. Adding a participant and removing a user who is none have no effect. Takes time in proportion to the
 * operations and the state; what changes of the metadata is told in few steps, however many the patch has.
 */
export function planPatch(
  before: Patchable,
  operations: readonly PatchOperation[],
  newcomerHistory: Exclude<History, History.UNSPECIFIED> = History.ALL,
): PatchPlan {
  const copy = openCopy(before.metadata);
  let participants = new Set(before.participants);
  const effective: PatchOperation[] = [];
  const named = new Map<string, Role | null>();
  let frozen = before.isFrozen ?? false;
  let slowMode = before.slowMode ?? 0;
  const unseeing = new Set<string>();
  const shown = new Set<string>();
  const admit = (userId: string, { history }: PatchOperation): void => {
    if (participants.has(userId)) return;
    if ((history || newcomerHistory) === History.NONE) {
      unseeing.add(userId);
      shown.delete(userId);
    } else unseeing.delete(userId);
  };
  for (const operation of operations) {
    const { step } = operation;
    if (step.case === 'addParticipant') {
      admit(step.value, operation);
      participants.add(step.value);
    } else if (step.case === 'removeParticipant') participants.delete(step.value);
    else if (step.case === 'setParticipants') {
      for (const userId of step.value.userIds) admit(userId, operation);
      participants = new Set(step.value.userIds);
    } else if (step.case === 'showHistory') shown.add(step.value);
    else if (step.case === 'setRole') named.set(step.value.userId, roleOf(step.value.role));
    else if (step.case === 'setFrozen') frozen = step.value;
    else if (step.case === 'setSlowMode') slowMode = step.value;
    else if (applyStep(copy, operation)) effective.push(operation);
  }
  const metadata = closeCopy(copy);
  const added = [...participants].filter((userId) => !before.participants.has(userId));
  const removed = [...before.participants].filter((userId) => !participants.has(userId));
  const roles = changedRoles(before, { named, participants });
  const isFreezing = frozen !== (before.isFrozen ?? false);
  const isSlowing = slowMode !== (before.slowMode ?? 0);
  return {
    metadata,
    added,
    removed,
    withoutHistory: added.filter((userId) => unseeing.has(userId)),
    shown: [...shown],
    ...(roles.length > 0 && { roles }),
    ...(isFreezing && { frozen }),
    ...(isSlowing && { slowMode }),
    operations: [
      ...netSteps({ before: before.metadata, after: metadata, effective }),
      ...added.map((userId) => step({ case: 'addParticipant', value: userId })),
      ...removed.map((userId) => step({ case: 'removeParticipant', value: userId })),
      ...roles.map(roleStep),
      ...(isFreezing ? [step({ case: 'setFrozen', value: frozen })] : []),
      ...(isSlowing ? [step({ case: 'setSlowMode', value: slowMode })] : []),
    ],
  };
}

function roleStep({ userId, role }: RoleChange): PatchOperation {
  return step({ case: 'setRole', value: create(ParticipantRoleSchema, { userId, role: role ?? '' }) });
}

type NamedRoles = { named: ReadonlyMap<string, Role | null>; participants: ReadonlySet<string> };

/** Roles that differ from before. A role of a user who takes no part is refused. Problem: invalid_property (roles). */
function changedRoles({ roles }: Patchable, { named, participants }: NamedRoles): RoleChange[] {
  return [...named].flatMap(([userId, role]) => {
    if (!participants.has(userId)) {
      if (role === null) return [];
      return fail('invalid_property', {
        property: 'roles',
        message: `The user ${userId} does not take part.`,
      });
    }
    return role === (roles?.get(userId) ?? null) ? [] : [{ userId, role }];
  });
}

function roleOf(role: string): Role | null {
  return isRole(role) && role !== DEFAULT_ROLE ? role : null;
}

/** The users whom the operations may add. */
export function listUserIdsToAdd(operations: readonly PatchOperation[]): string[] {
  return operations.flatMap(({ step }) => {
    if (step.case === 'addParticipant') return [step.value];
    return step.case === 'setParticipants' ? step.value.userIds : [];
  });
}

/** The plan that removes one participant. */
export function planRemoval(metadata: JsonObject, userId: string): PatchPlan {
  const operations = [step({ case: 'removeParticipant', value: userId })];
  return { metadata, added: [], removed: [userId], withoutHistory: [], shown: [], operations };
}

function step(value: PatchOperation['step']): PatchOperation {
  return create(PatchOperationSchema, { step: value });
}
