import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { metadataEquals } from '@parley/domain/metadata';
import { applyPatch } from '@parley/domain/metadata/patch';
import { PatchOperationSchema, type PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';

/** The state that a patch applies to. */
export type Patchable = { participants: ReadonlySet<string>; metadata: JsonObject };

/** The effect of a patch; without operations it has none. */
export type PatchPlan = {
  metadata: JsonObject;
  added: string[];
  removed: string[];
  /** Only effective operations; each participant at most once. */
  operations: PatchOperation[];
};

/** Applies the operations in order. Adding a participant and removing a user who is none have no effect. */
export function planPatch(before: Patchable, operations: readonly PatchOperation[]): PatchPlan {
  let { metadata } = before;
  let participants = new Set(before.participants);
  const effective: PatchOperation[] = [];
  for (const operation of operations) {
    const { step } = operation;
    if (step.case === 'addParticipant') participants.add(step.value);
    else if (step.case === 'removeParticipant') participants.delete(step.value);
    else if (step.case === 'setParticipants') participants = new Set(step.value.userIds);
    else {
      const next = applyPatch(metadata, [operation]);
      if (!metadataEquals(next, metadata)) effective.push(operation);
      metadata = next;
    }
  }
  const added = [...participants].filter((userId) => !before.participants.has(userId));
  const removed = [...before.participants].filter((userId) => !participants.has(userId));
  const changesMetadata = !metadataEquals(metadata, before.metadata);
  return {
    metadata,
    added,
    removed,
    operations: [
      ...(changesMetadata ? effective : []),
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

export function removeParticipant(userId: string): PatchOperation {
  return step({ case: 'removeParticipant', value: userId });
}

function step(value: PatchOperation['step']): PatchOperation {
  return create(PatchOperationSchema, { step: value });
}
