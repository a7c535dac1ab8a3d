/**
 * The only way in which a path gets a name: pathTo`/users/${user}/badge`, where each name becomes one segment. Throws for a name that
 * cannot be one, such as `..`, which browsers take out of a path.
 */
export function pathTo(texts: TemplateStringsArray, ...names: readonly string[]): string {
  return texts.reduce((built, text, at) => built + segment(names[at - 1] ?? '') + text);
}

/** A text as one segment of a path. */
export function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new RangeError(`"${text}" cannot stand in a path.`);
  if (!text.isWellFormed()) throw new RangeError('Half a surrogate pair cannot stand in a path.');
  return encodeURIComponent(text);
}

/**
 * A user id as the name of a path: the id itself, or the URI of the identity if no new user gets the id, which is how the platform takes
 * users of earlier releases.
 */
export function userName(user: string, wire: string): string {
  const isOdd = user === '.' || user === '..' || /^[\p{L}\p{M}\p{N}_+.-]+:\/\/\//u.test(user);
  return isOdd ? `${wire}:///identities/${encodeURIComponent(user)}` : user;
}
