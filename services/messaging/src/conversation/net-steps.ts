import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { limits } from '@parley/contract/limits';
import { metadataEquals } from '@parley/domain/metadata';
import { joinPath, metadataValue, toValue } from '@parley/domain/metadata/patch';
import { PatchOperationSchema, type PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';

export type Change = {
  before: JsonObject;
  after: JsonObject;
  /** The steps that led there, without those that had no effect. */
  effective: readonly PatchOperation[];
};

/**
 * Steps that make the metadata after a patch of those before it, of at most `limits.metadataChangeBytes`: the steps of the patch where
 * none concerns what another one does, else the difference, and all of the metadata where that is shorter.
 */
export function netSteps({ before, after, effective }: Change): readonly PatchOperation[] {
  if (effective.length === 0 || metadataEquals(before, after)) return [];
  if (areIndependent(effective) && isWithinLimit(effective)) return effective;
  const difference: PatchOperation[] = [];
  addDifference(difference, [], before, after);
  return isWithinLimit(difference) ? difference : [setStep([], after)];
}

type Places = Map<string, Places>;

// No path is another one, or its beginning.
function areIndependent(steps: readonly PatchOperation[]): boolean {
  const root: Places = new Map();
  const ends = new Set<Places>();
  for (const step of steps) {
    let place = root;
    for (const key of pathOf(step)) {
      if (ends.has(place)) return false;
      const inner: Places = place.get(key) ?? new Map<string, Places>();
      place.set(key, inner);
      place = inner;
    }
    if (ends.has(place) || place.size > 0) return false;
    ends.add(place);
  }
  return true;
}

function isWithinLimit(steps: readonly PatchOperation[]): boolean {
  let left: number = limits.metadataChangeBytes;
  for (const operation of steps) {
    const { step } = operation;
    const value = step.case === 'setMetadata' ? metadataValue(step.value.value) : undefined;
    const shown = { operation: 'delete', property: joinPath(['metadata', ...pathOf(operation)]), value };
    left -= Buffer.byteLength(JSON.stringify(shown));
    if (left < 0) return false;
  }
  return true;
}

function addDifference(
  steps: PatchOperation[],
  path: readonly string[],
  before: JsonObject,
  after: JsonObject,
): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) steps.push(deleteStep([...path, key]));
  }
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (isObject(old) && isObject(value)) addDifference(steps, [...path, key], old, value);
    else if (old !== value) steps.push(setStep([...path, key], value));
  }
}

function pathOf({ step }: PatchOperation): readonly string[] {
  return step.case === 'setMetadata' || step.case === 'deleteMetadata' ? step.value.path : [];
}

function setStep(path: string[], value: JsonValue): PatchOperation {
  return create(PatchOperationSchema, {
    step: { case: 'setMetadata', value: { path, value: toValue(value) } },
  });
}

function deleteStep(path: string[]): PatchOperation {
  return create(PatchOperationSchema, { step: { case: 'deleteMetadata', value: { path } } });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
