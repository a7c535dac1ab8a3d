/** Scheme and authority of a request whose line names the whole address, as those that go through a proxy may. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path, still percent-encoded, and the query of a request's line. */
export function splitUrl(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : target.slice(mark + 1) };
}
