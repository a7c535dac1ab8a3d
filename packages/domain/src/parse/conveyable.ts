import type { JsonObject } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';
import { invalid, type Fields } from './fields.ts';

/** Properties that every wire format, and a json column, can hold unchanged. Fails with invalid_property. */
export function checkConveyable(fields: Fields): JsonObject {
  for (const [name, value] of Object.entries(fields)) {
    if (!isConveyableKey(name) || !isConveyable(value, 0))
      invalid(name, 'has a value that cannot be stored.');
  }
  return fields as JsonObject;
}

function isConveyable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= limits.metadataDepth) return false;
  return Object.entries(value).every(
    ([key, entry]) => isConveyableKey(key) && isConveyable(entry, depth + 1),
  );
}

function isConveyableKey(key: string): boolean {
  return key !== '__proto__' && key.isWellFormed();
}
