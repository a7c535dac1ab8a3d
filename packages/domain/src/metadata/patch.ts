import { fromJson, toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { ValueSchema, type Value } from '@bufbuild/protobuf/wkt';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { closeCopy, deleteAt, openCopy, setAt, type WorkingCopy } from './working-copy.ts';

export { joinPath, splitPath } from './dotted-path.ts';
export { closeCopy, openCopy } from './working-copy.ts';

/**
 * The metadata after applying all steps that concern it, in order; the given object is not changed. Missing objects on a path are created;
 * a string on a path, or metadata that are too large after any step, fail the whole patch with invalid_property.
 */
export function applyPatch(metadata: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  const copy = openCopy(metadata);
  for (const operation of operations) applyStep(copy, operation);
  return closeCopy(copy);
}

/** Applies one step, if it concerns metadata; returns whether it changes them. Fails like applyPatch. */
export function applyStep(copy: WorkingCopy, { step }: PatchOperation): boolean {
  if (step.case === 'setMetadata') return setAt(copy, step.value.path, metadataValue(step.value.value));
  return step.case === 'deleteMetadata' && deleteAt(copy, step.value.path);
}

/** The value that a step of a patch sets, as JSON. */
export function metadataValue(value: Value | undefined): JsonValue {
  return value ? toJson(ValueSchema, value) : {};
}

export function toValue(json: JsonValue): Value {
  return fromJson(ValueSchema, json);
}
