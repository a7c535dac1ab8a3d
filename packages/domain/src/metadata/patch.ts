import { fromJson, toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { ValueSchema, type Value } from '@bufbuild/protobuf/wkt';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { closeCopy, deleteAt, openCopy, setAt, type WorkingCopy } from './working-copy.ts';

export { joinPath, splitPath } from './dotted-path.ts';
export { closeCopy, openCopy } from './working-copy.ts';

/**
 * The metadata after the steps that concern it, one after the other; the given object is not changed. Objects that are
 * missing on a path are created; a string on a path fails with invalid_property, as do metadata that are too large after any step, and so
 * the whole patch.
 */
export function applyPatch(metadata: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  const copy = openCopy(metadata);
  for (const operation of operations) applyStep(copy, operation);
  return closeCopy(copy);
}

/** Applies one step, if it concerns metadata; says whether it changes them. Fails like applyPatch. */
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
