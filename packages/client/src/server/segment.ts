const URI =
  /^[a-z][a-z0-9-]*:\/\/\/(announcements|apps|content|conversations|exports|identities|messages|sessions)\//;

/**
 * An id as a segment of a path. Takes what the API shows as `id`: the URI of an object, of which the last segment counts, or a bare
 * id.
 */
export function segment(id: string): string {
  return URI.test(id) ? id.slice(id.lastIndexOf('/') + 1) : encodeURIComponent(id);
}
