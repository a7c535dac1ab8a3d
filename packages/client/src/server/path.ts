import { ParleyError } from '../errors.ts';

const START_OF_URI = /^[\p{L}\p{M}\p{N}_+.-]+:\/\/\//u;
/** Names with a special meaning in paths, or empty. */
const DOTS = /^\.?\.?$/;

/**
 * The only way in which a path gets a name: each parameter of the template becomes one segment. `:messages` takes what the API shows as
 * `id` of an object of that kind, its URI in this deployment or the bare id, and `*` any text. Throws a ParleyError `invalid_id` for
 * a name that cannot be one segment, such as `..`, or that is the URI of something else.
 */
export function pathOf(template: string, wire: string, ...names: string[]): string {
  return template.replace(/:(\w+)|\*/g, (_, kind?: string) => segmentOf(names.shift() ?? '', wire, kind));
}

function segmentOf(name: string, wire: string, kind?: string): string {
  if (!kind || !START_OF_URI.test(name)) return encoded(DOTS.test(name) ? fail(name) : name);
  const id = idIn(name, wire, kind);
  const bare = id && decoded(id);
  if (!bare) return fail(name);
  if (START_OF_URI.test(bare)) return encoded(name);
  if (!DOTS.test(bare)) return encoded(bare);
  // A user created before such ids were refused, who can only be named by URI.
  return kind === 'identities' ? encoded(name) : fail(name);
}

/** Kinds whose URIs contain that of a parent object. */
const PARENTS: Readonly<Record<string, string>> = { parts: 'messages', webhooks: 'apps' };

/** The id in the URI of an object of this kind in this deployment, still percent-encoded; undefined for any other text. */
function idIn(uri: string, wire: string, kind: string): string | undefined {
  const start = `${wire}:///`;
  if (!uri.startsWith(start)) return undefined;
  const names = uri.slice(start.length).split('/');
  const parent = PARENTS[kind];
  const isOfKind = names.at(-2) === kind && names.length === (parent ? 4 : 2) && names.every(Boolean);
  return isOfKind && (!parent || names[0] === parent) ? names.at(-1) : undefined;
}

/** A text percent-encoded, for a path or a query. Throws `invalid_id` for half a surrogate pair. */
export function encoded(text: string): string {
  return converted(encodeURIComponent, text) ?? fail(text);
}

/** Undefined for an incomplete escape, or one that is not UTF-8. */
export function decoded(text: string): string | undefined {
  return converted(decodeURIComponent, text);
}

function converted(convert: (text: string) => string, text: string): string | undefined {
  try {
    return convert(text);
  } catch {
    return undefined;
  }
}

function fail(id: string): never {
  throw new ParleyError({ id: 'invalid_id', message: `"${id}" is no id of such an object.`, data: { id } });
}
