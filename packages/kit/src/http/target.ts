import { withoutStack } from '@parley/codec/without-stack';

/** A request target: the path, still percent-encoded, and the query without its question mark. */
export type Target = {
  path: string;
  query: string;
  /** Host and port of an absolute target, which take precedence over the Host header. RFC 9112, 3.2.2 */
  authority?: string;
};

/** Scheme and authority of an absolute target, which proxies may send. */
const ORIGIN = /^https?:\/\/([^/?#]*)/i;

/** Parses a request target; undefined if it is neither a path nor an absolute address. The `*` of OPTIONS is treated as the path `/`. */
export function parseTarget(target: string, method?: string): Target | undefined {
  if (target.startsWith('/')) return splitTarget(target);
  if (target === '*' && method === 'OPTIONS') return { path: '/', query: '' };
  const [origin, authority] = ORIGIN.exec(target) ?? [];
  if (origin === undefined || authority === undefined || authority === '') return undefined;
  return { ...splitTarget(target.slice(origin.length)), authority };
}

/** Path and query of a target without scheme and authority. */
export function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : target.slice(mark + 1) };
}

/** The path without a trailing slash, which is insignificant. */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Whether a path is percent-encoded UTF-8. */
export function isWellEncoded(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    withoutStack(() => decodeURIComponent(path));
    return true;
  } catch {
    return false;
  }
}
