type Tree = { [key: string]: unknown };

/** The keys of a path such as `metadata.colours.a\.b`; a dot within a key is `\.`, and backslashes right before a dot are doubled. */
export function keysOf(path: string): string[] {
  const keys: string[] = [];
  let key = '';
  const pieces = path.split('.');
  const last = pieces.pop() ?? '';
  for (const piece of pieces) {
    const backslashes = countLastBackslashes(piece);
    key += piece.slice(0, piece.length - backslashes) + '\\'.repeat(backslashes >> 1);
    if (backslashes % 2 === 1) key += '.';
    else {
      keys.push(key);
      key = '';
    }
  }
  return [...keys, key + last];
}

/** The path of keys, as by `keysOf`. */
export function joinKeys(keys: readonly string[]): string {
  return keys.map((key, index) => escapeKey(key, index === keys.length - 1)).join('.');
}

function escapeKey(key: string, isLast: boolean): string {
  const pieces = key.split('.');
  const end = isLast ? pieces.pop() : undefined;
  const escaped = pieces.map((piece) => piece + '\\'.repeat(countLastBackslashes(piece)));
  return (end === undefined ? escaped : [...escaped, end]).join('\\.');
}

function countLastBackslashes(text: string): number {
  let count = 0;
  while (text.at(-1 - count) === '\\') count++;
  return count;
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
