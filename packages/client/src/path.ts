import { ParleyError } from './errors.ts';

/**
 * The only way to put a name into a path: pathTo`/messages/${uuid}`, where each name becomes one segment. Throws a ParleyError `invalid_id`
 * for a name that cannot be a segment, such as `..`.
 */
export function pathTo(texts: TemplateStringsArray, ...names: string[]): string {
  return texts.reduce((built, text) => {
    const name = names.shift() ?? '';
    // Half of a surrogate pair cannot be encoded.
    if (/^\.{0,2}$|\p{Cs}/u.test(name)) throw new ParleyError({ id: 'invalid_id', message: name });
    return built + encodeURIComponent(name) + text;
  });
}

/** The path of an object, from its URI in this deployment or its bare id. `wire`: the deployment's wire name. */
export function pathOf(kind: string, wire: string, id: string): string {
  return pathTo`/${kind}/${bareId(`${wire}:///${kind}/`, id)}`;
}

/**
 * The id at the end of a URI with this start, or the bare id itself. The URI of another kind of object gives `..`, which no path accepts.
 */
export function bareId(start: string, id: string): string {
  const bare = id.startsWith(start) ? id.slice(start.length) : id;
  return bare.includes('/') ? '..' : bare;
}
