import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';
import { fail } from '../problems.ts';

type Branch = Map<string, Entry>;
type Entry = Branch | Exclude<JsonValue, JsonObject>;

/**
 * Metadata while a patch is applied to it, step by step and in place. The cost of a step is proportional to the values it names, sets and
 * replaces, and replaced values were set by an earlier step: so a whole patch costs no more than its size and that of the metadata.
 */
export type WorkingCopy = {
  root: Branch;
  /** Bytes of the metadata as JSON. */
  size: number;
  /** The largest size that they may have. */
  readonly mostBytes: number;
};

export function openCopy(metadata: JsonObject, mostBytes: number = limits.metadataBytes): WorkingCopy {
  const root = branchOf(metadata);
  return { root, size: sizeOf(root), mostBytes };
}

export function closeCopy({ root }: Pick<WorkingCopy, 'root'>): JsonObject {
  return Object.fromEntries([...root].map(([key, entry]) => [key, jsonOf(entry)]));
}

/**
 * Sets the value at a path, and creates missing objects on it; returns whether that changes anything. Fails with invalid_property for a
 * string on the path, and for metadata that become too large.
 */
export function setAt(copy: WorkingCopy, path: readonly string[], value: JsonValue): boolean {
  const entry = entryOf(value);
  const changes = path.length === 0 ? setRoot(copy, entry) : setEntry(copy, path, entry);
  return copy.size <= copy.mostBytes
    ? changes
    : refuse(`Metadata have at most ${copy.mostBytes} bytes as JSON after each step.`);
}

/** Deletes the value at a path; returns whether there was one. */
export function deleteAt(copy: WorkingCopy, path: readonly string[]): boolean {
  const key = path.at(-1);
  if (key === undefined) return setRoot(copy, new Map());
  const parent = branchAt(copy.root, path);
  const old = parent?.get(key);
  if (!parent || old === undefined) return false;
  parent.delete(key);
  copy.size -= sizeOfEntry(key, old) + (parent.size > 0 ? 1 : 0);
  return true;
}

function setRoot(copy: WorkingCopy, entry: Entry): boolean {
  if (!(entry instanceof Map)) return failOnTheWay();
  if (isSame(copy.root, entry)) return false;
  copy.root = entry;
  copy.size = sizeOf(entry);
  return true;
}

function setEntry(copy: WorkingCopy, path: readonly string[], entry: Entry): boolean {
  let parent = copy.root;
  for (const name of path.slice(0, -1)) {
    const inner = parent.get(name) ?? addEntry(copy, parent, { key: name, entry: new Map() });
    if (!(inner instanceof Map)) return failOnTheWay();
    parent = inner;
  }
  const key = path.at(-1) ?? '';
  const old = parent.get(key);
  if (old === undefined) addEntry(copy, parent, { key, entry });
  else {
    if (isSame(old, entry)) return false;
    parent.set(key, entry);
    copy.size += sizeOf(entry) - sizeOf(old);
  }
  return true;
}

function addEntry<E extends Entry>(
  copy: WorkingCopy,
  parent: Branch,
  { key, entry }: { key: string; entry: E },
): E {
  copy.size += sizeOfEntry(key, entry) + (parent.size > 0 ? 1 : 0);
  parent.set(key, entry);
  return entry;
}

function branchAt(root: Branch, path: readonly string[]): Branch | undefined {
  let branch = root;
  for (const name of path.slice(0, -1)) {
    const inner = branch.get(name);
    if (!(inner instanceof Map)) return undefined;
    branch = inner;
  }
  return branch;
}

function isSame(a: Entry | undefined, b: Entry): boolean {
  if (!(a instanceof Map) || !(b instanceof Map)) return a === b;
  return a.size === b.size && [...b].every(([key, entry]) => isSame(a.get(key), entry));
}

// Bytes of the JSON text, computed without building all of it.
function sizeOf(entry: Entry): number {
  if (!(entry instanceof Map)) return textSize(entry);
  let size = 2 + Math.max(0, entry.size - 1);
  for (const [key, inner] of entry) size += sizeOfEntry(key, inner);
  return size;
}

function sizeOfEntry(key: string, entry: Entry): number {
  return textSize(key) + 1 + sizeOf(entry);
}

function textSize(leaf: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(leaf));
}

function branchOf(object: JsonObject): Branch {
  return new Map(Object.entries(object).map(([key, value]) => [key, entryOf(value)]));
}

function entryOf(value: JsonValue): Entry {
  return isObject(value) ? branchOf(value) : value;
}

function jsonOf(entry: Entry): JsonValue {
  return entry instanceof Map ? closeCopy({ root: entry }) : entry;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function failOnTheWay(): never {
  return refuse('A string of the metadata has no properties.');
}

function refuse(message: string): never {
  return fail('invalid_property', { property: 'metadata', message });
}
