import type { IncomingMessage } from 'node:http';
import { nameList } from '@parley/domain/parse/name-list';
import { fail } from '@parley/domain/problems';

const OVERRIDES = ['PATCH', 'PUT', 'DELETE', 'POST'];

/**
 * The method of a request, or the one that X-HTTP-Method-Override of a POST names.
 * docs/protocol/requests.md#methods-and-paths
 */
export function methodOf(req: IncomingMessage): string {
  const named = req.headers['x-http-method-override'];
  if (req.method !== 'POST' || named === undefined) return req.method ?? 'GET';
  const method = String(named).trim().toUpperCase();
  if (OVERRIDES.includes(method)) return method;
  return fail('invalid_request', {
    message: `X-HTTP-Method-Override must be ${nameList(OVERRIDES)}.`,
    data: { header: 'X-HTTP-Method-Override' },
    accepted: OVERRIDES,
  });
}
