import { fromJson, toJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { ValueSchema, type Value } from '@bufbuild/protobuf/wkt';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { fail } from '../problems.ts';

export { joinPath, splitPath } from './dotted-path.ts';

/**
 * The metadata after the steps that concern it, one after the other; the given object is not changed. Objects that are
 * missing on a path are created; a string on a path fails with invalid_property, and so the whole patch.
 */
export function applyPatch(metadata: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  let state = metadata;
  for (const { step } of operations) {
    if (step.case === 'setMetadata') state = setAt(state, step.value.path, metadataValue(step.value.value));
    else if (step.case === 'deleteMetadata') state = deleteAt(state, step.value.path);
  }
  return state;
}

/** What a step of a patch sets, as JSON. */
export function metadataValue(value: Value | undefined): JsonValue {
  return value ? toJson(ValueSchema, value) : {};
}

export function toValue(json: JsonValue): Value {
  return fromJson(ValueSchema, json);
}

function setAt(target: JsonObject, [key, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (key === undefined) return isObject(value) ? value : failOnTheWay();
  if (rest.length === 0) return { ...target, [key]: value };
  const inner = Object.hasOwn(target, key) ? target[key] : {};
  return { ...target, [key]: isObject(inner) ? setAt(inner, rest, value) : failOnTheWay() };
}

function deleteAt(target: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return {};
  if (!Object.hasOwn(target, key)) return target;
  const { [key]: inner, ...others } = target;
  if (rest.length === 0) return others;
  return isObject(inner) ? { ...target, [key]: deleteAt(inner, rest) } : target;
}

function failOnTheWay(): never {
  return fail('invalid_property', {
    property: 'metadata',
    message: 'A string of the metadata has no properties.',
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
