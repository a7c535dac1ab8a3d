/** Scheme and authority of an absolute request target, which proxies may send. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path, still percent-encoded, and the query of a request target. */
export function splitUrl(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : target.slice(mark + 1) };
}
