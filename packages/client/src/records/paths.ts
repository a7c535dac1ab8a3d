type Tree = { [key: string]: unknown };

/** The keys of a path such as `metadata.colours.a\.b`; a dot within a key is written `\.`. */
export function keysOf(path: string): string[] {
  return path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
}

/** A key in the form used in paths. */
export function escapeKey(key: string): string {
  return key.replaceAll('.', '\\.');
}

/** A copy with this value at a path; undefined removes the key. Missing objects on the path are created. */
export function withValueAt<T>(tree: T, keys: readonly string[], value: unknown): T {
  return valueAt(tree, keys, value) as T;
}

function valueAt(tree: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const known = typeof tree === 'object' && tree !== null ? tree : undefined;
  if (!known && value === undefined) return tree;
  const copy: Tree = { ...known };
  // A key may have the name of something that every object inherits.
  const inner = Object.hasOwn(copy, key) ? copy[key] : undefined;
  if (rest.length === 0 && value === undefined) delete copy[key];
  else if (value !== undefined || inner !== undefined) copy[key] = valueAt(inner, rest, value);
  return copy;
}
