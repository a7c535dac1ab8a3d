/** Characters that start constructs that may contain semicolons, with the text that ends them. */
const ENDS: Record<string, string> = { '--': '\n', '/*': '*/', "'": "'", '"': '"' };
const TAG = /^\$\w*\$/;

/**
 * The statements of a text, without the terminating semicolons; semicolons in strings, names, comments and function bodies do not count.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let from = 0;
  let hasCode = false;
  for (let at = 0; at <= text.length;) {
    if (at === text.length || text[at] === ';') {
      if (hasCode) statements.push(text.slice(from, at).trim());
      from = ++at;
      hasCode = false;
      continue;
    }
    const end = endOfQuoted(text, at);
    const isComment = text.startsWith('--', at) || text.startsWith('/*', at);
    hasCode ||= !isComment && text[at]?.trim() !== '';
    at = end ?? at + 1;
  }
  return statements;
}

/** The index after the string, name, comment or body that begins here; undefined if none does. */
function endOfQuoted(text: string, at: number): number | undefined {
  const tag = text[at] === '$' ? TAG.exec(text.slice(at, at + 64))?.[0] : undefined;
  const opening = tag ?? Object.keys(ENDS).find((one) => text.startsWith(one, at));
  if (opening === undefined) return undefined;
  const closing = tag ?? ENDS[opening] ?? opening;
  const found = text.indexOf(closing, at + opening.length);
  return found < 0 ? text.length : found + closing.length;
}
