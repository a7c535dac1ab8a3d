/**
 * Paths of properties such as `metadata.a.b`, where `\.` stands for a dot within a name. Backslashes are literal, except those right before
 * a dot, which are doubled, so that every name can be written.
 */
export function splitPath(text: string): string[] {
  if (!text.includes('\\')) return text.split('.');
  const names: string[] = [];
  let name = '';
  let from = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
    const backslashes = countBackslashesBefore(text, dot, from);
    name += text.slice(from, dot - backslashes) + '\\'.repeat(backslashes >> 1);
    if (backslashes % 2 === 1) name += '.';
    else {
      names.push(name);
      name = '';
    }
    from = dot + 1;
  }
  return [...names, name + text.slice(from)];
}

export function joinPath(names: readonly string[]): string {
  return names.map((name, index) => escapeName(name, index === names.length - 1)).join('.');
}

function escapeName(name: string, isLast: boolean): string {
  const escaped = escapeDots(name);
  if (isLast || !escaped.endsWith('\\')) return escaped;
  return escaped + '\\'.repeat(countBackslashesBefore(escaped, escaped.length, 0));
}

/** Escapes a name for use as one step of a path. */
export function escapeDots(name: string): string {
  if (!name.includes('.')) return name;
  let escaped = '';
  let from = 0;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
    const backslashes = countBackslashesBefore(name, dot, from);
    escaped += `${name.slice(from, dot)}${'\\'.repeat(backslashes)}\\.`;
    from = dot + 1;
  }
  return escaped + name.slice(from);
}

function countBackslashesBefore(text: string, end: number, start: number): number {
  let count = 0;
  while (end - count > start && text[end - count - 1] === '\\') count += 1;
  return count;
}
