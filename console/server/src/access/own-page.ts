import type { IncomingMessage } from 'node:http';
import { fail } from '@parley/domain/problems';

const SAFE_METHODS = new Set<string | undefined>(['GET', 'HEAD']);
const OWN_SITES = new Set<unknown>([undefined, 'same-origin', 'none']);

/**
 * Refuses requests of other pages, which a browser would send with the console's cookie. Browsers name the origin in all requests but
 * simple reads of the same origin; those say so by `Sec-Fetch-Site`, and other pages could not read their answers. Problems: access_denied.
 */
export function requireOwnPage(req: IncomingMessage, origin: string): void {
  const given = req.headers.origin;
  const isRead = given === undefined && SAFE_METHODS.has(req.method);
  if (given === origin || (isRead && OWN_SITES.has(req.headers['sec-fetch-site']))) return;
  refuse();
}

/** Refuses every request that does not name the console as its origin. Problems: access_denied. */
export function requireOwnOrigin({ headers }: IncomingMessage, origin: string): void {
  if (headers.origin !== origin) refuse();
}

function refuse(): never {
  fail('access_denied', {
    message: 'The console takes requests of its own pages only.',
    data: { header: 'Origin' },
  });
}
