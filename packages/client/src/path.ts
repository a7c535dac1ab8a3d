import { ParleyError } from './errors.ts';

/**
 * The only way in which a path gets a name: pathTo`/messages/${uuid}`, where each name becomes one segment. Throws a ParleyError `invalid_id` for a
 * name that cannot be one, such as `..`.
 */
export function pathTo(texts: TemplateStringsArray, ...names: string[]): string {
  return texts.reduce((built, text) => {
    const name = names.shift() as string;
    // Half of a surrogate pair cannot be encoded.
    if (/^\.{0,2}$|\p{Cs}/u.test(name)) throw new ParleyError({ id: 'invalid_id', message: name });
    return built + encodeURIComponent(name) + text;
  });
}

/** The path of an object, from its URI or bare id. */
export function pathOf(kind: string, id: string): string {
  return pathTo`/${kind}/${uuidOf(id)}`;
}

/** The last component of a URI, or a bare id. */
export function uuidOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}
