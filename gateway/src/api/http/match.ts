import { withoutStack } from '@parley/codec/without-stack';
import type { Route } from '../request/route.ts';
import { constantError } from '@parley/http/errors/error-form';

export type Match = { route: Route; params: Record<string, string> };
export type Matcher = {
  /** Finds the first matching route; GET routes also serve HEAD. */
  find(method: string, path: string): Match | undefined;
  /** The value of Allow for a path; undefined when no route has the path. */
  allow(path: string): string | undefined;
};

type Row = { route: Route; segments: Segment[] };
type Segment = { literal: string } | { name: string };

/** Compiles the routes. They are tried in order, so that a literal segment has to come before a parameter. */
export function compileRoutes(routes: readonly Route[]): Matcher {
  const rowsByLength = new Map<number, Row[]>();
  for (const route of routes) {
    const segments = split(route.path).map(compileSegment);
    const rows = rowsByLength.get(segments.length);
    if (rows) rows.push({ route, segments });
    else rowsByLength.set(segments.length, [{ route, segments }]);
  }
  function rowsFor(requested: string[]) {
    return rowsByLength.get(requested.length) ?? [];
  }

  return {
    find(method, path) {
      const wanted = method === 'HEAD' ? 'GET' : method;
      if ((method === 'PUT' || method === 'DELETE') && isRestOfReaction(path)) return undefined;
      const requested = split(path);
      for (const { route, segments } of rowsFor(requested)) {
        if (route.method === wanted && fits(segments, requested))
          return { route, params: read(segments, requested) };
      }
      return undefined;
    },
    allow(path) {
      if (isRestOfReaction(path)) return undefined;
      const requested = split(path);
      const methods = rowsFor(requested)
        .filter(({ segments }) => fits(segments, requested))
        .flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
      return methods.length > 0 ? [...new Set(methods)].sort().join(', ') : undefined;
    },
  };
}

function compileSegment(segment: string): Segment {
  return segment.startsWith(':') ? { name: segment.slice(1) } : { literal: segment };
}

/**
 * Whether the path is what clients make of `reactions/.` and `reactions/..`: to take such a reaction back must not delete the message.
 * docs/protocol/messages.md#reactions
 */
function isRestOfReaction(path: string): boolean {
  return path.endsWith('/') && /\/messages\/[^/]+\/(reactions\/)?$/.test(path);
}

/** Ignores a trailing slash. */
function split(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(1, end).split('/');
}

function fits(segments: Segment[], requested: string[]): boolean {
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index];
    if (segment && ('literal' in segment ? segment.literal !== requested[index] : requested[index] === ''))
      return false;
  }
  return true;
}

function read(segments: Segment[], requested: string[]): Record<string, string> {
  const params: Record<string, string> = {};
  segments.forEach((segment, index) => {
    if ('name' in segment) params[segment.name] = decode(requested[index] ?? '');
  });
  return params;
}

const NOT_UTF8 = constantError('invalid_request', { message: 'The path is not percent-encoded UTF-8.' });

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return withoutStack(() => decodeURIComponent(text));
  } catch {
    throw NOT_UTF8;
  }
}
