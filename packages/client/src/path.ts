import { ParleyError } from './errors.ts';

const START_OF_URI = /^[\p{L}\p{M}\p{N}_+.-]+:\/\/\//u;

/**
 * The only way in which a path gets a name: each parameter of the template becomes one segment. `:messages` takes what the API shows as
 * `id` of an object of that kind, its URI in this deployment or the bare id, and `*` any text. Throws a ParleyError `invalid_id` for
 * a name that cannot be one segment, such as `..`, or that is the URI of something else.
 */
export function pathOf(template: string, wire: string, ...names: readonly (string | undefined)[]): string {
  let at = 0;
  return template.replace(/:(\w+)|\*/g, (_, kind?: string) => segmentOf(names[at++] ?? '', wire, kind));
}

function segmentOf(name: string, wire: string, kind?: string): string {
  const isUser = kind === 'identities';
  let bare: string | undefined = name;
  if (kind && START_OF_URI.test(name)) {
    const uri = RegExp(`^${wire}:///(?:\\w+/[^/]+/)?${kind}/(${isUser ? '.+' : '[^/]+'})$`, 's');
    bare = uri.exec(name)?.[1];
    if (isUser && bare) bare = decoded(bare);
  }
  if (!bare || bare === '.' || bare === '..') return fail(name);
  // Bare, such a user id would be read as a URI.
  return encoded(isUser && START_OF_URI.test(bare) ? `${wire}:///identities/${encoded(bare)}` : bare);
}

/** A text percent-encoded, for a path or a query. Throws `invalid_id` for half a surrogate pair. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return fail(text);
  }
}

/** Undefined for an incomplete escape, or one that is not UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function fail(id: string): never {
  throw new ParleyError({ id: 'invalid_id', message: `"${id}" is no id of such an object.`, data: { id } });
}
