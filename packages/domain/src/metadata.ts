import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';

/**
 * Whether a value can be a conversation's metadata: nested objects with string leaves, whose texts every store and wire format can hold.
 */
export function isMetadata(value: unknown, depth: number = limits.metadataDepth): value is JsonObject {
  if (!isObject(value) || depth === 0) return false;
  for (const key of Object.keys(value)) {
    const entry = value[key];
    if (!isMetadataKey(key)) return false;
    if (typeof entry === 'string' ? !isStorableText(entry) : !isMetadata(entry, depth - 1)) return false;
  }
  return true;
}

/** `__proto__` would be lost, or do harm, wherever an object is built from the keys. */
export function isMetadataKey(key: string): boolean {
  return key !== '__proto__' && isStorableText(key);
}

/** Well-formed, and without U+0000, which Postgres cannot store in text. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The size of metadata or of a value in it: bytes of its JSON text in UTF-8. */
export function metadataSize(metadata: JsonObject | string): number {
  return Buffer.byteLength(JSON.stringify(metadata));
}

export function isMetadataWithinLimit(metadata: JsonObject): boolean {
  return metadataSize(metadata) <= limits.metadataBytes;
}

/** Whether both have the same keys and leaves, in any order; absent equals empty. */
export function metadataEquals(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  return valueEquals(a ?? {}, b ?? {});
}

function valueEquals(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && valueEquals(a[key], b[key]));
}

function isObject<T>(value: T): value is T & JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
