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

/** Whether a value can be a message's metadata: as a conversation's, with numbers and booleans as leaves, too. */
export function isMessageMetadata(value: unknown, depth: number = limits.metadataDepth): value is JsonObject {
  if (!isObject(value) || depth === 0) return false;
  return Object.keys(value).every((key) => {
    const entry = value[key];
    return isMetadataKey(key) && (isMessageMetadataLeaf(entry) || isMessageMetadata(entry, depth - 1));
  });
}

/** Larger numbers would not be given back as sent: doubles round integers beyond 2^53, and JSON such as `1e999` is read as infinite. */
export function isMessageMetadataLeaf(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  return (
    typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
  );
}

/** `__proto__` would be lost, or worse, wherever an object is built from the keys. */
export function isMetadataKey(key: string): boolean {
  return key !== '__proto__' && isStorableText(key);
}

/** Well-formed, and without U+0000, which Postgres cannot store in text. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The size of metadata, or of a value in it: the bytes of its JSON text in UTF-8. */
export function metadataSize(metadata: JsonValue): number {
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
