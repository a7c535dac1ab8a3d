import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { applyStep, closeCopy, openCopy } from '@parley/domain/metadata/patch';
import {
  History,
  PatchOperationSchema,
  type PatchOperation,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import { netSteps } from './net-steps.ts';

/** The state that a patch applies to. */
export type Patchable = { participants: ReadonlySet<string>; metadata: JsonObject };

/** The effect of a patch; without operations it has none. */
export type PatchPlan = {
  metadata: JsonObject;
  added: string[];
  removed: string[];
  /** Those of the added users who do not see what was before. */
  withoutHistory: string[];
  /** Users who are shown the whole history; some may see it already. */
  shown: string[];
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
    else if (applyStep(copy, operation)) effective.push(operation);
  }
  const metadata = closeCopy(copy);
  const added = [...participants].filter((userId) => !before.participants.has(userId));
  const removed = [...before.participants].filter((userId) => !participants.has(userId));
  return {
    metadata,
    added,
    removed,
    withoutHistory: added.filter((userId) => unseeing.has(userId)),
    shown: [...shown],
    operations: [
      ...netSteps({ before: before.metadata, after: metadata, effective }),
      ...added.map((userId) => step({ case: 'addParticipant', value: userId })),
      ...removed.map((userId) => step({ case: 'removeParticipant', value: userId })),
    ],
  };
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
